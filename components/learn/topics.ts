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
    summary: 'The same system gives other figures each time; how far apart they fall is the ruler for any difference',
  },
  'open-and-closed-loop': {
    title: 'Open and closed loop',
    summary: 'Whether a slow answer holds back the next request decides what a test can see',
  },
  'coordinated-omission': {
    title: 'Coordinated omission',
    summary: 'A tool that waits for the system measures least exactly when the system is slowest',
  },
  'littles-law': {
    title: 'Little’s law',
    summary: 'Rate × mean latency = requests under way: three figures that check each other',
  },
}

/** All topics, in reading order. */
export const learnTopicNames = Object.keys(learnTopics).filter(isLearnTopic)

/** Whether a part of an address names a topic. */
export function isLearnTopic(name: string): name is LearnTopic {
  return Object.hasOwn(learnTopics, name)
}
