import { formatPercent, plural, roundChange } from '../format'
import type { Metric } from '../run/metrics'
import { intervalWords } from './experiment-words'
import type { HuntEnded } from './hunt'

/** What a search found, in a sentence without a full stop, and what it rests on. */
export interface CulpritWords {
  readonly sentence: string
  readonly notes: readonly string[]
}

/** `nameOf`: a commit as it is shown, perhaps with its subject. */
export function culpritWords(
  ended: HuntEnded,
  {
    metric,
    commits,
    nameOf,
  }: {
    readonly metric: Pick<Metric, 'shortLabel'>
    readonly commits: number
    nameOf(commit: string): string
  },
): CulpritWords {
  const { change, runs, rounds } = ended
  const figures =
    change === null ? null : `${metric.shortLabel} ${roundChange(change.effectRatio)} (${intervalWords(change)})`
  const range = figures === null ? [] : [`From GOOD to BAD: ${figures}`]
  const spent = `${plural(rounds, 'round')} with ${plural(runs, 'run')}, of ${plural(commits - 1, 'commit')}`
  return { sentence: sentenceOf(ended, nameOf, figures), notes: [...range, spent] }
}

function sentenceOf(
  { verdict, commits, probability }: HuntEnded,
  nameOf: (commit: string) => string,
  figures: string | null,
): string {
  const sure = probability === null ? '' : ` (${formatPercent(Number(probability.toFixed(2)))})`
  const [first = ''] = commits
  switch (verdict) {
    case 'found':
      return `The change is in ${nameOf(first)}${sure}`
    case 'set':
      return `The change is in one of ${commits.length}${sure}, which nothing that runs separates: ${list(commits, nameOf)}`
    case 'none':
      return `BAD is as GOOD today${sure}: it was the machine, or it is fixed`
    case 'no-single-step':
      return `No single commit fits${sure}: the change came in two steps, among ${list(commits, nameOf)}`
    case 'not-started':
      return `Not started: this set-up does not show the change${figures === null ? '' : `, ${figures}`}`
    case 'undecided':
      return `Undecided: most likely ${list(commits, nameOf)}${sure}`
    case 'stopped':
      return 'Stopped: GOOD or BAD cannot be run'
  }
}

const list = (commits: readonly string[], nameOf: (commit: string) => string): string => commits.map(nameOf).join(', ')
