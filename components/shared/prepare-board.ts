import type { BoardRun, BoardSeries } from '@/lib/board/series'
import { boardNews, seriesNames, type NewsItem } from '@/lib/headline/project-headline'
import type { Metric } from '@/lib/run/metrics'
import { boardMetric, prepareRow, sharedEnvironment, type BoardRow } from '../board/board-rows'
import { readBoardQuery, stripMetrics } from '../board/board-url'

/** A shared board: the series that its owner saw, each with the run that was its newest then. */
export interface PreparedBoard {
  /** In the order of `rows`. */
  readonly runs: readonly BoardRun[]
  readonly rows: readonly BoardRow[]
  /** The metric of the leading column. */
  readonly metric: Metric
  /** The common environment of all series; null: they differ. */
  readonly shared: string | null
  /** What is said above the rows, the newest first. */
  readonly news: readonly NewsItem[]
}

const nothingPast = { outside: new Set<string>(), expected: new Map() }

/** Prepares the rows of a board from its runs alone: without the histories of their series. `view`: of its address. */
export function prepareBoard(runs: readonly BoardRun[], view: string): PreparedBoard {
  const { metric: asked } = readBoardQuery(Object.fromEntries(new URLSearchParams(view)))
  const metric = boardMetric(asked, stripMetrics, runs)
  const series = runs.map(seriesOf)
  const names = seriesNames(series)
  const shared = sharedEnvironment(series)
  return {
    runs,
    metric,
    shared,
    rows: runs.map((run, at) =>
      prepareRow({ series: series[at] ?? seriesOf(run), run, trend: null }, metric, nothingPast, {
        shared,
        limits: [],
        shifts: [],
      }),
    ),
    news: boardNews(runs.map((run, at) => newsRunOf(run, names[at] ?? run.scenario))),
  }
}

const seriesOf = (run: BoardRun): BoardSeries => ({
  id: run.seriesId,
  projectId: run.projectId,
  projectSlug: run.projectSlug,
  scenario: run.scenario,
  variant: run.variant,
  environment: run.environment,
  newest: null,
  later: null,
})

const newsRunOf = ({ uploadId, orderedAt, labels, judged, judgement }: BoardRun, name: string) => ({
  name,
  uploadId,
  uploadName: '',
  commit: labels['commit'] ?? null,
  orderedAt,
  state: judged?.state ?? null,
  judgement,
})
