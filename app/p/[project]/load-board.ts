import { openTrends } from '@/app/_server/alerts/judge-trends'
import { fanOf } from './load-fan'
import { prepareBoardChart } from '@/components/board/board-chart'
import type { ShownFan } from '@/components/board/board-fan'
import { boardTrendRuns, type SeriesTrends } from '@/lib/levels/trend'
import { boardNames, pageOfBoard } from '@/components/board/board-list'
import {
  beginOfStrips,
  boardMetric,
  lastRunsOfLevels,
  prepareRow,
  sharedEnvironment,
  trendOfRun,
  type BoardRow,
  type RowSource,
  type Shown,
} from '@/components/board/board-rows'
import { stripMetrics, type BoardQuery } from '@/components/board/board-url'
import { boardNews, type NewsItem } from '@/lib/headline/project-headline'
import type { BoardRun, BoardSeries } from '@/lib/board/series'
import type { RuleLimit } from '@/lib/rules/limits'
import type { Metric } from '@/lib/run/metrics'
import type { Granted } from '@/prisma/queries/projects/projects'
import { listReportedShifts } from '@/prisma/queries/series/environments'
import { listBoardRuns, readPastJudgements } from '@/prisma/queries/series/board'

/** Runs beyond those of the page whose judgements the news may name. */
const maxNews = 40

interface Asked {
  readonly query: BoardQuery
  /** That the rules of the project set. */
  readonly limits: readonly RuleLimit[]
}

/** All that the board of a project with a history shows. */
export async function loadBoard(project: Granted<'read'>, series: readonly BoardSeries[], { query, limits }: Asked) {
  const page = pageOfBoard(series, query)
  const wanted = [...page.shown, ...newsworthy(series)].flatMap(({ newest }) => newest?.runId ?? [])
  const runs = await listBoardRuns(project, [...new Set(wanted)])
  const shownRuns = page.shown.flatMap(({ newest }) => runs.get(newest?.runId ?? '') ?? [])
  const metric = boardMetric(query.metric, stripMetrics, shownRuns)
  const trends = await trendsOf(project, page.shown, metric)
  const sources = sourcesOf(page.shown, runs, trends)
  const shared = sharedEnvironment(series)
  const shifts = await listReportedShifts(project)
  const [rows, fan] = await Promise.all([
    rowsOf(project, sources, { metric, shared, limits, shifts }),
    firstFan(project, sources, { query, metric, limits }),
  ])
  const choices = stripMetrics.filter((one) => shownRuns.some(({ figures }) => one.read(figures) !== null))
  const chart = prepareBoardChart(trends, metric, { projectSlug: project.slug, limits, shifts })
  return { page, metric, choices, shared, rows, fan, chart, shifts, news: newsOf(series, runs) }
}

const newsworthy = (series: readonly BoardSeries[]): readonly BoardSeries[] =>
  series
    .filter(({ newest }) => newest?.state && newest.state !== 'as-expected' && newest.state !== 'no-history')
    .slice(0, maxNews)

async function trendsOf(project: Granted<'read'>, shown: readonly BoardSeries[], metric: Metric) {
  const seriesIds = shown.map(({ id }) => id)
  const { trends } = await openTrends(project, { seriesIds, metrics: [metric], runs: boardTrendRuns })
  return trends.get(metric) ?? []
}

const sourcesOf = (
  shown: readonly BoardSeries[],
  runs: ReadonlyMap<string, BoardRun>,
  trends: readonly SeriesTrends[],
): readonly RowSource[] =>
  shown.map((series, at) => {
    const run = runs.get(series.newest?.runId ?? '') ?? null
    return { series, run, trend: trendOfRun(trends[at]?.trends ?? [], run?.id ?? null) }
  })

async function rowsOf(
  project: Granted<'read'>,
  sources: readonly RowSource[],
  { metric, ...shown }: Shown & { readonly metric: Metric },
): Promise<readonly BoardRow[]> {
  const trends = sources.map(({ trend }) => trend)
  const asked = { metric, sinceOf: beginOfStrips(trends), runIds: lastRunsOfLevels(trends) }
  const past = await readPastJudgements(project, asked)
  return sources.map((source) => prepareRow(source, metric, past, shown))
}

/** Of the requested series, else of the first whose newest run leaves its band, else of the first. */
async function firstFan(
  project: Granted<'read'>,
  sources: readonly RowSource[],
  { query, metric, limits }: Asked & { readonly metric: Metric },
): Promise<ShownFan | null> {
  const known = sources.flatMap(({ series, run }) => (run === null ? [] : [{ id: series.id, run }]))
  const leaves = ({ run }: (typeof known)[number]) =>
    run.judgement?.metrics.some(({ metricId, state }) => metricId === metric.id && state === 'unusual') === true
  const first = known.find(({ id }) => id === query.seriesId) ?? known.find(leaves) ?? known[0]
  return first === undefined ? null : fanOf(project, first.run, { metric, limits })
}

function newsOf(series: readonly BoardSeries[], runs: ReadonlyMap<string, BoardRun>): readonly NewsItem[] {
  const names = boardNames(series)
  return boardNews(
    series.flatMap(({ id, newest }) =>
      newest === null
        ? []
        : { ...newest, name: names.get(id) ?? '', judgement: runs.get(newest.runId)?.judgement ?? null },
    ),
  )
}
