import { prepareCurves, type FanRun } from '@/components/charts/fan'
import { pack } from '@/components/charts/plot/sent/pack'
import { columnUnit, formatCount, formatDay, formatInColumn, formatPercent, missing, plural } from '@/lib/format'
import type { NewsItem } from '@/lib/headline/project-headline'
import { groupBy } from '@/lib/group-by'
import { compareHref } from '@/lib/judge/compare-url'
import { documentMetrics, scenarioSentence, valueOf } from '@/lib/board/documents'
import { documentScenarios, type PlacedScenario, type PlacedSide } from '@/lib/board/document-scenarios'
import { documentHeadline } from '@/lib/headline/document-headline'
import type { BoardRun } from '@/lib/board/series'
import type { Metric } from '@/lib/run/metrics'
import { tools } from '@/lib/run/tools'
import type { ShownFan } from './board-fan'

/** A figure of a side as a bar from 0. */
export interface DocumentBar {
  readonly text: string
  /** Share of the largest in its row; null: there is none. */
  readonly share: number | null
}

/** A scenario and its runs. */
export interface DocumentRow {
  readonly id: string
  readonly scenario: string
  readonly sentence: string
  /** Places of its sides in the legend. */
  readonly sides: readonly number[]
  /** In the order of the columns, one figure per side. */
  readonly figures: readonly (readonly DocumentBar[])[]
  /** One per side, or one for all. */
  readonly failed: readonly string[]
  /** Init and duration of a cold invocation, ms, per side; empty: none is known. */
  readonly cold: readonly { readonly initMs: number; readonly durationMs: number }[]
  /** Its percentiles; null: none was printed. */
  readonly fan: ShownFan | null
}

/** What the board shows of a project whose series all have a single run. */
export interface DocumentBoard {
  readonly news: readonly NewsItem[]
  readonly runs: number
  readonly isLambda: boolean
  /** Sides, each with a note on it. */
  readonly legend: readonly { readonly name: string; readonly more: string }[]
  readonly columns: readonly { readonly head: string; readonly hasBars: boolean }[]
  readonly rows: readonly DocumentRow[]
}

type Placed = PlacedSide<BoardRun>
type Scenario = PlacedScenario<BoardRun>

const maxDocuments = 3

/** Prepares the board of runs that are each alone in their series. */
export function prepareDocuments(
  runs: readonly BoardRun[],
  percentiles: ReadonlyMap<string, FanRun>,
  failures: ReadonlyMap<string, readonly string[]>,
): DocumentBoard {
  const scenariosOf = (some: readonly BoardRun[]) => documentScenarios(some, (id) => failures.get(id) ?? [])
  const scenarios = scenariosOf(runs)
  const all = scenarios.flatMap(({ sides }) => sides)
  const names = [...new Set(all.map(({ name }) => name))]
  const metrics = documentMetrics(all)
  const isLambda = runs.some(({ tool }) => tools[tool].counts === 'invocation')
  const units = metrics.map((metric) =>
    columnUnit(
      metric.unit,
      all.map((side) => valueOf(metric, side)),
    ),
  )
  return {
    news: newsOf(
      scenarios.flatMap(({ sides }) => sides.map(({ run }) => run)),
      scenariosOf,
    ),
    runs: runs.length,
    isLambda,
    legend: names.map((name) => ({ name, more: instancesOf(all.filter((side) => side.name === name)) })),
    columns: metrics.map((metric, at) => ({
      head: headOf(metric, units[at]?.label ?? ''),
      hasBars: !isLambda || at === 0,
    })),
    rows: scenarios.map((one): DocumentRow => {
      const figures = metrics.map((metric, at) => {
        const unit = units[at] ?? { label: '', factor: 1 }
        const values = one.sides.map((side) => valueOf(metric, side))
        const largest = Math.max(...values.map((value) => value ?? 0))
        return values.map((value): DocumentBar => ({
          text: value === null ? missing : formatInColumn(value, metric.unit, unit),
          share: value === null || largest === 0 ? null : value / largest,
        }))
      })
      return {
        id: one.sides[0]?.run.seriesId ?? one.scenario,
        scenario: one.scenario,
        sentence: scenarioSentence(one, names),
        sides: one.sides.map(({ name }) => names.indexOf(name)),
        figures,
        failed: failedWords(one.sides),
        cold: one.sides.flatMap(({ figures: { initMs, meanMs } }) =>
          initMs === null || meanMs === null ? [] : [{ initMs, durationMs: meanMs }],
        ),
        fan: isLambda ? null : fanOf(one, percentiles, names),
      }
    }),
  }
}

const heads: Readonly<Record<string, string>> = {
  'requests-per-second': 'Served/s',
  mean: 'Duration',
  billed: 'Billed',
  init: 'Init',
  'max-memory': 'Memory',
}

function headOf({ id, shortLabel }: Metric, unit: string): string {
  const name = heads[id] ?? shortLabel
  return unit === '' || id === 'requests-per-second' ? name : `${name}, ${unit}`
}

/** Instances of all runs of a side, if they agree or nearly so. */
function instancesOf(sides: readonly Placed[]): string {
  const counts = sides.flatMap(({ instances }) => instances ?? [])
  const [low, high] = [Math.min(...counts), Math.max(...counts)]
  if (counts.length === 0) return ''
  return low === high ? plural(low, 'instance') : `${low}–${high} instances`
}

/** One per side; if none failed, one for all. */
function failedWords(sides: readonly Placed[]): readonly string[] {
  const failed = sides.map(({ figures }) => figures.errorRatio)
  const isClean = failed.every((ratio) => ratio === null || ratio === 0) && failed.some((ratio) => ratio === 0)
  return isClean ? ['0'] : failed.map((ratio) => (ratio === null ? missing : formatPercent(ratio)))
}

function newsOf(
  runs: readonly BoardRun[],
  scenariosOf: (some: readonly BoardRun[]) => readonly Scenario[],
): readonly NewsItem[] {
  const byUpload = groupBy(runs, ({ uploadId }) => uploadId)
  return [...byUpload.values()].slice(0, maxDocuments).flatMap((own): readonly NewsItem[] => {
    const [first] = own
    if (first === undefined) return []
    const upload = { id: first.uploadId, name: `${formatCount(own.length)} ${own.length === 1 ? 'run' : 'runs'}` }
    return [{ at: first.orderedAt, commit: null, upload, sentence: documentHeadline(scenariosOf(own)), alertId: null }]
  })
}

const maxCurves = 7

function fanOf(one: Scenario, percentiles: ReadonlyMap<string, FanRun>, names: readonly string[]): ShownFan | null {
  const known = one.sides.slice(0, maxCurves).flatMap(({ name, run }) => {
    const own = percentiles.get(run.id)
    return own === undefined ? [] : [{ ...own, name, styleIndex: names.indexOf(name) }]
  })
  const prepared = prepareCurves('fan', one.scenario, known)
  const [first] = one.sides
  if (first === undefined) return null
  const { run } = first
  return {
    seriesId: run.seriesId,
    title: one.scenario,
    day: formatDay(run.orderedAt),
    commit: null,
    state: null,
    runHref: `/p/${run.projectSlug}/runs/${run.id}`,
    compareHref:
      one.sides.length < 2
        ? null
        : compareHref(
            run.projectSlug,
            one.sides.slice(0, 10).map((side) => side.run.id),
            '',
          ),
    compareWords: 'Compare',
    sent: prepared === null ? null : pack(prepared.plot),
    keys: [],
    figures: [],
  }
}
