import { formatDay, formatPercent, plural, roundChange } from '../format'
import { sentenceLabel } from '../run/metrics'
import { intervalWords } from '../experiment/experiment-words'
import { minCertified, type Instrument, type InstrumentMetric } from './instrument'

/** What runs of identical code show of an environment, in words: the only place that writes them. */
export interface InstrumentWords {
  readonly word: 'certified' | 'unfit' | 'not certified'
  /** Without a full stop. */
  readonly sentence: string
  /** Most important first; each without a full stop. */
  readonly notes: readonly string[]
}

/** A certificate may be older than this many days before that is said. */
const freshDays = 30
const percent = (ratio: number): string => formatPercent(Number(ratio.toPrecision(2)))

export function instrumentWords(instrument: Instrument, nowMs: number): InstrumentWords {
  const { isCertified, falseAlarms, metrics } = instrument
  if (!isCertified) return { word: 'not certified', sentence: notYet(instrument), notes: [howTo] }
  const { isFit, low, high } = falseAlarms
  const share = `${falsely(falseAlarms)} (95 % interval ${percent(low)} to ${percent(high)})`
  return {
    word: isFit ? 'certified' : 'unfit',
    sentence: isFit ? `Certified: ${share}` : `Unfit: ${share}, more than the 5 % that is promised`,
    notes: [...placeNotes(metrics), basisNote(instrument), ...ageNote(instrument, nowMs)],
  }
}

function notYet({ falseAlarms: { total } }: Instrument): string {
  const known = total === 0 ? 'no experiment' : `${total} of ${minCertified} experiments`
  return `Not certified yet: ${known} on identical code`
}

const howTo = 'Rounds with --control compare base with itself, and so do repeats of one commit within an hour'

function falsely({ count, total }: Instrument['falseAlarms']): string {
  const of = `${count === 0 ? 'none' : count} of ${plural(total, 'experiment')} on identical code`
  return `${of} ${count > 1 ? 'were' : 'was'} called different`
}

/** Named effects only, the largest first: a place that makes no difference is what everyone expects. */
function placeNotes(metrics: readonly InstrumentMetric[]): readonly string[] {
  const named = metrics.flatMap(({ metric, place }) => (place?.isNamed === true ? [{ metric, place }] : []))
  const far = ({ place }: (typeof named)[number]) => Math.abs(place.effectRatio)
  const [most, ...others] = named.toSorted((a, b) => far(b) - far(a))
  if (most === undefined) return []
  const { effectRatio } = most.place
  const more = others.length === 0 ? '' : `, and in ${plural(others.length, 'more metric')}`
  const figures = `${roundChange(effectRatio)} in ${sentenceLabel(most.metric)} (${intervalWords(most.place)}, at 99 %)`
  return [`What runs second differs by ${figures}${more}: a fixed order is wrong here`]
}

function basisNote({ controls, repeats }: Instrument): string {
  const parts = [
    ...(controls === 0 ? [] : [`${plural(controls, 'experiment')} with a control`]),
    ...(repeats === 0 ? [] : [`${plural(repeats, 'set')} of repeats`]),
  ]
  const basis = `By ${parts.join(' and ')}`
  return controls === 0 ? `${basis}; their order was not drawn, so nothing is said about places` : basis
}

function ageNote({ newestAt }: Instrument, nowMs: number): readonly string[] {
  const isOld = newestAt !== null && nowMs - Date.parse(newestAt) > freshDays * 86_400_000
  return isOld ? [`Last certified ${formatDay(newestAt)}`] : []
}

/** `p99: 6.1 % in 8 rounds, 4.9 % in 12, 3.4 % in 24`. */
export function shownWords({ metric, visible }: Pick<InstrumentMetric, 'metric' | 'visible'>): string {
  const [first, ...more] = visible
  const rest = more.map(({ rounds, ratio }) => `${percent(ratio)} in ${rounds}`)
  const whole = first === undefined ? [] : [`${percent(first.ratio)} in ${plural(first.rounds, 'round')}`, ...rest]
  return `${sentenceLabel(metric)}: ${whole.join(', ')}`
}

/** `15 rounds for 5 %`; what matters may be beyond what a plan holds. */
export const roundsToShowWords = ({ roundsToShow, mattersRatio }: InstrumentMetric, most: number): string =>
  roundsToShow === null ? `over ${most} for ${percent(mattersRatio)}` : `${roundsToShow} for ${percent(mattersRatio)}`
