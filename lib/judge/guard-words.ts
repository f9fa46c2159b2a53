import { formatBytes, formatCount, formatDuration, formatNumber, formatPercent, formatTick } from '../format'
import type { Guard, GuardCode } from '../run/guard'

/** A figure of a guard by name; null: missing. */
type Read = (name: string) => number | null

interface GuardWords {
  readonly title: string
  /** With all figures. */
  readonly evidence: (read: Read) => string
  /** Shorter, after `No verdict on p99:`; absent: the evidence. */
  readonly reason?: (read: Read) => string
}

/** A command's duration is exact: `60 s`, while a measured one is `60.0 s`. */
const formatAsked = (ms: number) => (ms < 90_000 ? `${formatTick(ms / 1_000)}\u00a0s` : formatDuration(ms))

const table: Readonly<Record<GuardCode, GuardWords>> = {
  'cut-short': {
    title: 'Ended early',
    evidence: (read) => {
      const [durationMs, wantedMs] = [read('durationMs'), read('wantedMs')]
      return durationMs === null || wantedMs === null
        ? 'the run was truncated'
        : `the command asked for ${formatAsked(wantedMs)}, the run lasted ${formatDuration(durationMs)}`
    },
  },
  'requests-off': {
    title: 'Requests off',
    evidence: (read) => {
      const [answers, wanted] = [read('answers'), formatCount(read('wanted'))]
      return answers === null
        ? `the command asked for ${wanted}, the run has ${formatCount(read('requests'))}`
        : `the command asked for ${wanted}, ${formatCount(answers)} responses are listed; the others failed or were never sent`
    },
  },
  'clock-jump': { title: 'Clock moved', evidence: clockWords },
  'too-short': {
    title: 'Too short to judge',
    evidence: (read) => `${formatDuration(read('durationMs'))}. Run for 10\u00a0s or more, or count it all the same`,
    reason: (read) => `the run lasted ${formatDuration(read('durationMs'))}, less than a second`,
  },
  'zero-success': {
    title: 'Nothing succeeded',
    evidence: (read) => `all ${formatCount(read('attempts'))} requests failed`,
    reason: () => 'no request succeeded',
  },
  errors: {
    title: 'Failures',
    evidence: (read) =>
      `${formatCount(read('failed'))} of ${formatCount(read('attempts'))} requests failed (${formatPercent(read('failedRatio'))})`,
    reason: (read) => `${formatPercent(read('failedRatio'))} of its requests failed`,
  },
  'timeout-truncated': {
    title: 'Cut by timeouts',
    evidence: (read) =>
      `${formatCount(read('timeouts'))} of ${formatCount(read('attempts'))} requests timed out, so the highest latencies are unknown`,
  },
  'rate-missed': {
    title: 'Rate missed',
    evidence: (read) => {
      const [rate, wanted] = [read('ratePerSecond') ?? 0, read('wantedPerSecond') ?? 0]
      return rate < wanted
        ? `${formatNumber(rate)} of ${formatTick(wanted)} requests/s offered`
        : `${formatNumber(rate)} requests/s offered, ${formatTick(wanted)} asked for`
    },
  },
  'client-saturated': {
    title: 'Client saturated',
    evidence: (read) => {
      const [busy, connections] = [read('busy') ?? 0, read('connections') ?? 0]
      const share = busy < connections ? `${formatNumber(busy)} of ${formatCount(connections)}` : 'all'
      return `${share} connections were busy on average, so requests waited for one`
    },
  },
  'payload-changed': {
    title: 'Responses changed',
    evidence: (read) => {
      const [firstBytes, lastBytes] = [read('firstBytes'), read('lastBytes')]
      if (firstBytes !== null && lastBytes !== null)
        return `median ${formatBytes(firstBytes)} in the first third of the run, ${formatBytes(lastBytes)} in the last`
      const [bytesPerAnswer, contentLengthBytes] = [read('bytesPerAnswer'), read('contentLengthBytes')]
      return bytesPerAnswer === null
        ? 'they had another size at the end of the run'
        : `${formatBytes(bytesPerAnswer)} each, ${formatBytes(contentLengthBytes)} expected`
    },
  },
  'few-for-tail': {
    title: 'Too few for this tail',
    evidence: (read) =>
      `${formatCount(read('successes'))} requests succeeded, ${formatCount(read('needed'))} are needed`,
    reason: (read) =>
      `${formatCount(read('successes'))} requests are too few for this percentile: ${formatCount(read('needed'))} needed`,
  },
  'sample-cap': {
    title: 'Sample cap',
    evidence: (read) => {
      const requests = read('requests')
      const kept = formatCount(1_000_000)
      return requests === null || requests <= 1_000_000
        ? `hey records the first ${kept} responses only`
        : `hey recorded the first ${kept} of ${formatCount(requests)} responses`
    },
  },
}

function clockWords(read: Read): string {
  const say = (name: string, words: (value: number) => string) => {
    const value = read(name)
    return value === null ? [] : [words(value)]
  }
  const signs = [
    ...say('belowZero', (count) => `${formatCount(count)} ${count === 1 ? 'time is' : 'times are'} below zero`),
    ...say('stepBackMs', (ms) => `a request began ${formatDuration(ms)} before an earlier one`),
    ...say('gapMs', (ms) => `no request began for ${formatDuration(ms)}`),
    ...say('maxMs', (ms) => `a response took ${formatDuration(ms)}`),
    ...say('shortestMs', (ms) => `the run ends ${formatDuration(-ms)} before it starts`),
  ]
  return signs.length > 0 ? signs.join('; ') : 'its times contradict each other'
}

const reader =
  ({ numbers }: Guard): Read =>
  (name) =>
    numbers[name] ?? null

/** What a guard found, with its figures, as one sentence without a full stop. */
export function guardSentence(guard: Guard): string {
  const { title, evidence } = table[guard.code]
  return `${title}: ${evidence(reader(guard))}`
}

/** Why a guard bars a verdict, as a clause that follows a colon. */
export function guardReason(guard: Guard): string {
  const { evidence, reason = evidence } = table[guard.code]
  return reason(reader(guard))
}
