import { fanRunOf, prepareFan } from '@/components/charts/fan'
import type { Plot } from '@/components/charts/plot/model'
import { pack } from '@/components/charts/plot/sent/pack'
import type { Packed } from '@/components/charts/plot/sent/unpack'
import { columnUnit, formatCount, formatDay, formatInColumn, formatMetric, plural } from '@/lib/format'
import { compareWithBefore } from '@/lib/rules/compare-before'
import { levelHistoryOf } from '@/lib/levels/level-runs'
import type { FanAnswer } from '@/lib/board/fan-answer'
import type { BoardRun } from '@/lib/board/series'
import { attemptsOfFigures, findMetric, metricsOf, type Metric } from '@/lib/run/metrics'
import type { PastRun } from '@/lib/history/neighbours'
import type { AlertFinding } from '@/lib/rules/evaluate-profile'
import { limitsOfSeries, type RuleLimit } from '@/lib/rules/limits'
import { tools } from '@/lib/run/tools'
import { isValueOff, rangeOfValue } from './board-rows'

/** The fan of a row, ready to send and show. */
export interface ShownFan extends FanAnswer {
  /** Null: no percentile was printed. */
  readonly sent: Packed<Plot> | null
}

/** A key figure below a fan. */
type FanFigure = ShownFan['figures'][number]

/** The metric of the board, and the limits that the project's rules set. */
export interface ShownIn {
  readonly metric: Metric
  readonly limits: readonly RuleLimit[]
}

/** Prepares the fan of a series' newest run; `past`: the runs before it, `findings`: what alerts report of them. */
export function prepareShownFan(
  run: BoardRun,
  { past, findings }: { readonly past: readonly PastRun[]; readonly findings: readonly AlertFinding[] },
  { metric, limits }: ShownIn,
): ShownFan {
  const history = levelHistoryOf(run, past)
  const { level, since } = history
  // For a new level, its own runs, once it has any.
  const isNew = since !== null && since.runs.length > 0
  const before = (isNew ? since.runs : level).map((one) => fanRunOf(one))
  const of = isNew ? `since ${since.name}` : since === null ? 'of this level' : `before ${since.name}`
  const title = [run.scenario, run.variant, run.environment].filter((part) => part !== null).join(' › ')
  const prepared = prepareFan({
    id: 'fan',
    title,
    past: { name: 'median', runs: before },
    run: { ...fanRunOf(run), name: 'newest run' },
    state: run.judged?.state ?? null,
    limits: limitsOfSeries(limits, run),
  })
  const compare = compareWithBefore(run, history, findings)
  const kinds: ShownFan['keys'] = [
    { kind: 'run', name: 'newest run' },
    ...(before.length >= 5
      ? ([
          { kind: 'median', name: 'median' },
          { kind: 'half', name: 'middle half' },
          { kind: 'all', name: `all ${plural(before.length, 'run')} ${of}` },
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
    compareHref: compare?.href ?? null,
    compareWords: compare?.words ?? '',
    sent: prepared === null ? null : pack(prepared.plot),
    keys: prepared === null ? [] : kinds,
    figures: figuresOf(run, metric),
  }
}

const maxFigures = 4

/** The metric that the judgement is about, those of the board, and a median unless there are enough of these. */
function boardFigures(run: BoardRun, { id }: Metric): readonly Metric[] {
  const headline = findMetric(run.judgement?.metricId ?? '')
  const isNamed = headline !== null && headline.group !== 'Failures' && headline.read(run.figures) !== null
  const leading = new Set([...(isNamed ? [headline.id] : []), id, 'requests-per-second', 'error-ratio'])
  const ids = leading.size < maxFigures ? [id === 'p50' ? 'p99' : 'p50', ...leading] : [...leading]
  return ids.flatMap((one) => findMetric(one) ?? [])
}

/** The leading figures: for an invocation, those of Lambda. */
function figuresOf(run: BoardRun, metric: Metric): readonly FanFigure[] {
  const isLambda = tools[run.tool].counts === 'invocation'
  const wanted = isLambda ? metricsOf('lambda-lead') : boardFigures(run, metric)
  return wanted.slice(0, maxFigures).map((one): FanFigure => {
    const judged = run.judgement?.metrics.find(({ metricId }) => metricId === one.id) ?? null
    const value = one.read(run.figures)
    const column = columnUnit(one.unit, [value])
    const name = isLambda ? (one.lambdaLabel ?? one.shortLabel) : one.shortLabel
    const isOff = isValueOff(judged)
    if (one.id === 'error-ratio') {
      const { errorCount } = run.figures
      const attempts = attemptsOfFigures(run.figures)
      const of = errorCount === 0 || errorCount === null ? 'of' : `${formatCount(errorCount)} of`
      const text = value === 0 ? '0' : formatMetric(value, one.unit)
      return { label: 'Failed', text, range: attempts === null ? '' : `${of} ${formatCount(attempts)}`, isOff }
    }
    const show = (figure: number | null) => formatInColumn(figure, one.unit, column)
    return {
      label: one.unit === 'ms' || one.unit === 'mb' ? `${name}, ${column.label}` : name,
      text: show(value),
      range: rangeOfValue(judged, show),
      isOff,
    }
  })
}
