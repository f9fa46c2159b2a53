import type { ComparedRun, ComparisonRow, Side } from './comparison'
import { changeWords, formatChange, formatMetric } from '../format'
import { leastRuns, runsNeeded } from './repeats'

/** Metrics that a first sentence talks about, most telling first. */
const telling = ['p99', 'requests-per-second', 'mean', 'p50', 'max', 'success-ratio', 'billed', 'init']

/** What differs most between a base and its candidates, in one sentence without a full stop. */
export function sentenceOf(
  rows: readonly ComparisonRow[],
  baseline: ComparedRun,
  candidates: readonly ComparedRun[],
): string {
  const [only] = candidates
  if (!only) return 'Nothing to compare with yet: add a second run'
  if (candidates.length > 1) return rangeOf(rows, [baseline, ...candidates])
  const changes = telling.flatMap((id) => {
    const row = rows.find((one) => one.metric.id === id)
    const delta = row?.deltas[0]
    return row && delta?.changeRatio != null && delta.evidence !== 'not-shown' && Math.abs(delta.changeRatio) >= 0.005
      ? [{ row, ratio: delta.changeRatio }]
      : []
  })
  // Of a single invocation mean, fastest and slowest are one figure: it is said once.
  const seen = new Set<number>()
  const news = changes.filter(({ ratio }) => !seen.has(ratio) && seen.add(ratio))
  if (news.length === 0) {
    const isNoise = rows.some((row) => row.deltas[0]?.evidence === 'not-shown')
    const least = isNoise ? 'beyond noise' : 'by half a per cent or more'
    return `No figure of ${nameOf(only, baseline)} differs ${least}`
  }
  const words = news.slice(0, 2).map(({ row, ratio }) => `${row.metric.shortLabel} is ${changeWords(ratio)}`)
  return `${words.join(' and ')} on ${nameOf(only, baseline)}`
}

/** What tells a run from another in words. */
function nameOf(run: ComparedRun, other: ComparedRun): string {
  if (run.variant !== null && run.variant !== other.variant) return run.variant
  if (run.environment !== null && run.environment !== other.environment) return run.environment
  return run.scenario !== other.scenario ? run.scenario : (run.variant ?? run.environment ?? 'the second run')
}

/** Of several runs: from where to where the most telling figure that all have reaches. */
function rangeOf(rows: readonly ComparisonRow[], runs: readonly ComparedRun[]): string {
  for (const id of telling) {
    const row = rows.find((one) => one.metric.id === id)
    if (!row) continue
    const values = [row.baseValue, ...row.deltas.map((delta) => delta.value)]
    const known = values.flatMap((value, at) => (value === null ? [] : [{ value, run: runs[at] }]))
    known.sort((a, b) => a.value - b.value)
    const [lowest] = known
    const highest = known.at(-1)
    if (known.length < runs.length || !lowest?.run || !highest?.run || highest.value < lowest.value * 1.005) continue
    const text = (value: number) => formatMetric(value, row.metric.unit)
    const [low, high] = [nameOf(lowest.run, highest.run), nameOf(highest.run, lowest.run)]
    const [from, to] = [text(lowest.value), text(highest.value)]
    const reach = low === high ? `${from} to ${to}` : `${from} (${low}) to ${to} (${high})`
    return `${row.metric.shortLabel} reaches from ${reach}`
  }
  return `${runs.length} runs side by side; changes are against the base`
}

/**
 * How sure that is, in one sentence: by the repeats, by the noise of earlier runs, or not at all, with how many more runs
 * would tell. Empty for a lone side.
 */
export function cautionOf(rows: readonly ComparisonRow[], sides: readonly Side<ComparedRun>[]): string {
  const [base, ...others] = sides
  if (!base || others.length === 0) return ''
  if (sides.every((side) => side.length === 1)) return cautionOfSingles(rows, sides)
  const judged = rows.flatMap((row) => row.deltas.map((delta) => ({ metric: row.metric, delta })))
  const shown = judged.filter(({ delta }) => delta.evidence === 'shown')
  const counts = sides.map((side) => side.length).join(' + ')
  if (shown.length === 0 && judged.some(({ delta }) => delta.evidence === 'too-few' || delta.evidence === 'single')) {
    return `${counts} runs are too few to tell a difference from noise: ${leastRuns} ${sides.length > 2 ? 'of each' : 'per side'} would`
  }
  const names = [...new Set(shown.map(({ metric }) => metric.shortLabel))]
  if (names.length === 0) return `${counts} runs: what differs is no more than runs differ by themselves`
  const verb = names.length === 1 ? 'differs' : 'differ'
  return `${counts} runs: ${listOf(names)} ${verb} by more than runs differ by themselves (p < 0.05)`
}

function cautionOfSingles(rows: readonly ComparisonRow[], sides: readonly Side<ComparedRun>[]): string {
  const count = sides.length
  const judged = rows.flatMap((row) => row.deltas.map((delta) => ({ row, delta })))
  const withNoise = judged.find(({ row, delta }) => delta.noiseRatio !== null && telling.includes(row.metric.id))
  if (withNoise && count === 2) {
    const { row, delta } = withNoise
    const reach = formatChange(delta.noiseRatio).replace('+', '')
    const beyond = delta.evidence === 'shown' ? 'this is more' : 'so this may be noise'
    return `One run per side; by their history, ${row.metric.shortLabel} of two such runs differs by up to ${reach} by itself: ${beyond}`
  }
  if (sides.every(([run]) => run.figures.requests === 1)) {
    const each = count === 2 ? 'One invocation per side' : `One invocation of each of the ${numberWord(count)}`
    return `${each} (n = 1): this may be noise. Repeat each, best a hundred times, before you believe it`
  }
  const [more] = runsNeeded(1, 1)
  return count === 2
    ? `One run per side, so this may be noise: ${moreRuns(more)} each would tell`
    : `One run of each of the ${numberWord(count)}, so this may be noise: ${moreRuns(more)} of each would tell`
}

const moreRuns = (count: number) => `${count} more ${count === 1 ? 'run' : 'runs'}`

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const numberWord = (count: number) => words[count] ?? String(count)

const listOf = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** Sentence and caution as one: the verdict that stands alone, as in link previews. */
export function verdictSentence({
  sentence,
  caution,
}: {
  readonly sentence: string
  readonly caution: string
}): string {
  return caution === '' ? sentence : `${sentence}; ${caution.charAt(0).toLowerCase()}${caution.slice(1)}`
}
