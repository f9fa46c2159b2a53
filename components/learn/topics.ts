import type { Finding } from '@/lib/judge/findings'

/** An explanation page's name: what a finding's `learn` can point to. */
export type LearnTopic = NonNullable<Finding['learn']>

/** Title and one sentence (without a full stop) of every page, in reading order. */
export const learnTopics: Readonly<Record<LearnTopic, { readonly title: string; readonly summary: string }>> = {
  'percentile-plot': {
    title: 'How to read a percentile plot',
    summary: 'What the axis means, why the tail is most of the picture, and where a line stops being evidence',
  },
  'one-run': {
    title: 'Why one run proves little',
    summary: 'The same system gives different figures each time; their spread is the yardstick for any difference',
  },
  'warm-up': {
    title: 'Warm-up and steady state',
    summary: 'A run’s first seconds measure a start; where they end, and what the figures are without them',
  },
  'open-and-closed-loop': {
    title: 'Open and closed loop',
    summary: 'Whether a slow response delays the next request decides what a test can see',
  },
  'coordinated-omission': {
    title: 'Coordinated omission',
    summary: 'A tool that waits for the system takes the fewest measurements exactly when the system is slow',
  },
  'littles-law': {
    title: 'Little’s law',
    summary: 'Rate × mean latency = requests in flight: three figures that check each other',
  },
}

/** All topics, in reading order. */
export const learnTopicNames = Object.keys(learnTopics).filter(isLearnTopic)

/** Whether a part of an address names a topic. */
export function isLearnTopic(name: string): name is LearnTopic {
  return Object.hasOwn(learnTopics, name)
}
