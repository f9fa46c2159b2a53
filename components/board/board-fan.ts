import { prepareFan, type FanRun } from '@/components/charts/fan'
import type { Plot } from '@/components/charts/plot/model'
import { pack, type Packed } from '@/components/charts/plot/pack'
import type { JudgedTrend } from '@/lib/detect/judged-trend'
import { columnUnit, formatCount, formatDay, formatInColumn, formatMetric, plural } from '@/lib/format'
import { compareHref } from '@/lib/judge/compare-url'
import type { FanAnswer } from '@/lib/board/fan-answer'
import type { BoardRun } from '@/lib/board/series'
import { attemptsOfFigures, findMetric, metricsOf, type Metric } from '@/lib/run/metrics'
import { tools } from '@/lib/run/tools'
import { currentRange } from './board-rows'

/** The fan of a row, ready to be sent and shown. */
export interface ShownFan extends FanAnswer {
  /** Null: no percentile was printed. */
  readonly sent: Packed<Plot> | null
}

/** A key figure below a fan. */
type FanFigure = ShownFan['figures'][number]

/** Newest runs of a series that stored trends of the board are of: the same as those of the page of trends. */
export const boardTrendRuns = 100
const maxPast = 60
const comparedRuns = 10

/** Runs of the current level before this one, oldest first: what its fan is made of. */
export function pastOfLevel(trend: JudgedTrend | null, runId: string): readonly string[] {
  if (trend === null) return []
  const from = trend.changes.at(-1)?.at ?? 0
  const ids = trend.points.slice(from).flatMap((point) => point.runIds)
  const own = ids.indexOf(runId)
  return (own < 0 ? ids : ids.slice(0, own)).slice(-maxPast)
}

/** Prepares the fan of the newest run of a series; `past`: runs of its level, `runs`: what is known of them and of it. */
export function prepareShownFan(
  run: BoardRun,
  past: readonly string[],
  runs: ReadonlyMap<string, FanRun>,
  metric: Metric,
  trend: JudgedTrend | null,
): ShownFan {
  const before = past.flatMap((id) => runs.get(id) ?? [])
  const own = runs.get(run.id) ?? null
  const title = [run.scenario, run.variant, run.environment].filter((part) => part !== null).join(' › ')
  const prepared =
    own === null
      ? null
      : prepareFan({
          id: 'fan',
          title,
          past: { name: 'median', runs: before },
          run: { ...own, name: 'newest run' },
          state: run.judged?.state ?? null,
        })
  const compared = past.slice(-comparedRuns)
  const kinds: ShownFan['keys'] = [
    { kind: 'run', name: 'newest run' },
    ...(before.length >= 5
      ? ([
          { kind: 'median', name: 'median' },
          { kind: 'half', name: 'middle half' },
          { kind: 'all', name: `all ${plural(before.length, 'run')} of this level` },
        ] as const)
      : before.length > 0
        ? [{ kind: 'each', name: plural(before.length, 'earlier run') } as const]
        : []),
  ]
  return {
    seriesId: run.seriesId,
    title,
    day: formatDay(run.orderedAt),
    commit: run.labels['commit']?.slice(0, 10) ?? null,
    state: run.judged?.state ?? null,
    runHref: `/p/${run.projectSlug}/runs/${run.id}`,
    compareHref: compared.length === 0 ? null : compareHref(run.projectSlug, [compared, run.id], ''),
    compareWords: compared.length === 1 ? 'Compare with the run before' : `Compare with the ${compared.length} before`,
    sent: prepared === null ? null : pack(prepared.plot),
    keys: prepared === null ? [] : kinds,
    figures: figuresOf(run, metric, trend),
  }
}

const maxFigures = 4

/** The figures that lead: of an invocation those of Lambda. */
function figuresOf(run: BoardRun, metric: Metric, trend: JudgedTrend | null): readonly FanFigure[] {
  const isLambda = tools[run.tool].counts === 'invocation'
  const wanted = isLambda
    ? metricsOf('lambda-lead')
    : ['p50', metric.id === 'p50' ? 'p99' : metric.id, 'requests-per-second', 'error-ratio'].flatMap(
        (id) => findMetric(id) ?? [],
      )
  return wanted.slice(0, maxFigures).map((one): FanFigure => {
    const judged = run.judgement?.metrics.find(({ metricId }) => metricId === one.id) ?? null
    const value = one.read(run.figures)
    const column = columnUnit(one.unit, [value])
    const name = isLambda ? (one.lambdaLabel ?? one.shortLabel) : one.shortLabel
    const isOff = judged?.state === 'unusual' || judged?.state === 'worse'
    if (one.id === 'error-ratio') {
      const { errorCount } = run.figures
      const attempts = attemptsOfFigures(run.figures)
      const of = errorCount === 0 || errorCount === null ? 'of' : `${formatCount(errorCount)} of`
      const text = value === 0 ? '0' : formatMetric(value, one.unit)
      return { label: 'Failed', text, range: attempts === null ? '' : `${of} ${formatCount(attempts)}`, isOff }
    }
    const range = currentRange(run, one === metric ? trend : null, one)
    const show = (figure: number | null) => formatInColumn(figure, one.unit, column)
    return {
      label: one.unit === 'ms' || one.unit === 'mb' ? `${name}, ${column.label}` : name,
      text: show(value),
      range: range === null ? '' : `${show(range.low)}–${show(range.high)}`,
      isOff,
    }
  })
}
