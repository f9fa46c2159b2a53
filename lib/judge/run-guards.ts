import { guardKinds, isInvalidated, type RunGuard } from '../run/guard'
import { judgementVersion, type RunJudgement } from '../run/judgement'
import { figuresOf, metrics, type Metric } from '../run/metrics'
import type { ImportedRun } from '../run/run'
import { requestedLoadOf } from './requested-load'
import { maxFailedRatio } from '../run/judged-states'
import { guardSentence } from './guard-words'
import { failedWords } from './judgement-sentence'
import { guardsOf } from './guards'

/** Bumped when guards change their results for the same run. */
export const guardsVersion = 'guards-2'

/** The quantile of a metric for guards; a mean counts as p99, since one slow request moves it. Null: none. */
function quantileOf(metric: Metric): number | null {
  if (metric.group !== 'Latency') return null
  const digits = /^p(\d{2})(\d*)$/.exec(metric.id)
  if (digits) return Number(`0.${digits[1] ?? ''}${digits[2] ?? ''}`)
  return metric.id === 'mean' ? 0.99 : null
}

const quantiles = metrics.flatMap((metric) => {
  const q = quantileOf(metric)
  return q === null ? [] : [{ id: metric.id, q }]
})

/**
 * The guards that refuse a run according to its file and command: those of all its metrics first, then those of one.
 */
export function runGuards(run: ImportedRun): readonly RunGuard[] {
  const requested = requestedLoadOf(run)
  const found = new Map<RunGuard['code'], { readonly numbers: RunGuard['numbers']; readonly metricIds: string[] }>()
  for (const { id, q } of quantiles)
    for (const { code, numbers } of guardsOf(run, requested, q)) {
      // A mean has no tail of its own: it is as certain as its runs agree.
      if (code === 'few-for-tail' && id === 'mean') continue
      const known = found.get(code)
      if (known) known.metricIds.push(id)
      else found.set(code, { numbers, metricIds: [id] })
    }
  if (!run.complete && !found.has('cut-short'))
    found.set('cut-short', { numbers: {}, metricIds: quantiles.map(({ id }) => id) })
  const guards = [...found].map(([code, { numbers, metricIds }]): RunGuard => {
    return { code, numbers, metricIds: isOfAll(code, metricIds) ? null : metricIds }
  })
  return [...guards.filter((one) => one.metricIds === null), ...guards.filter((one) => one.metricIds !== null)]
}

const isOfAll = (code: RunGuard['code'], metricIds: readonly string[]): boolean =>
  code !== 'few-for-tail' && metricIds.length === quantiles.length

/**
 * The judgement of an otherwise invalid run whose series has no run that takes part: a run that was only too short
 * contradicts nothing, and there is nothing to compare it with. Null: it is invalid.
 */
export function firstRunJudgement(judgement: RunJudgement): RunJudgement | null {
  const against = judgement.guards.filter(({ code }) => guardKinds[code] === 'invalid')
  const isOnlyShort = against.length > 0 && against.every(({ code }) => code === 'too-short')
  const [guard] = against
  if (guard === undefined || !isOnlyShort || judgement.state !== 'invalid') return null
  // Truncated, or excluded by a person: that is stated instead.
  return judgement.sentence === `${guardSentence(guard)}.` ? { ...judgement, state: 'no-history' } : null
}

/**
 * The judgement of a run that takes no part in its series: its output is truncated, or a guard finds it is not a valid
 * measurement and no person counts it anyway. Null: it takes part, or is a candidate judged against the series.
 */
export function asideJudgement(
  run: ImportedRun,
  guards: readonly RunGuard[],
  { counted }: { readonly counted: boolean | null },
): RunJudgement | null {
  if (run.complete && (counted ?? !isInvalidated(guards))) return null
  const guard = guards.find(({ code }) => guardKinds[code] === 'invalid')
  const truncated = 'The output is truncated: its figures are of a part of the run.'
  const aside = 'Taken out of its series manually.'
  const sentence = !run.complete ? truncated : counted === false ? aside : guard ? `${guardSentence(guard)}.` : aside
  const { errorRatio: failedRatio, errorCount: failedCount } = figuresOf(run)
  const rest = { version: judgementVersion, failedRatio, failedCount, guards, runs: 1, metrics: [] } as const
  const isFailing = run.complete && counted !== false && failedRatio !== null && failedRatio > maxFailedRatio
  // However short it was, its failed requests are stated first.
  return isFailing
    ? {
        ...rest,
        state: 'failing',
        metricId: 'error-ratio',
        judgedBy: 'whole',
        sentence: `${failedWords(failedRatio, failedCount)}. ${sentence}`,
      }
    : { ...rest, state: 'invalid', metricId: null, judgedBy: 'whole', sentence }
}
