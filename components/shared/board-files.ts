import { toCsv } from '@/lib/export/csv'
import { runListRows } from '@/lib/export/runs-csv'
import { metrics } from '@/lib/run/metrics'
import { stateWords } from '@/lib/run/judged-states'
import { leadLabel, type BoardRow, type RowFigure } from '../board/board-rows'
import { boardFace } from './share-face'
import type { WordedTable } from '@/lib/export/markdown-table'
import type { PreparedBoard } from './prepare-board'

/** The rows of a board in words: name, judgement, and figures with their expected ranges. */
export function boardTable({ rows, metric }: PreparedBoard): WordedTable {
  return {
    head: ['Series', 'Judgement', leadLabel(metric), 'Served/s', 'Failed'],
    rows: rows.map(({ scenario, rest, judged, lead, served, failed }) => [
      [scenario, ...rest].join(' › '),
      judged?.sentence ?? 'not judged yet',
      ...[lead, served, failed].map(figureWords),
    ]),
  }
}

/** The head and the rows for a picture: with states in place of sentences. */
export function pictureLines(prepared: PreparedBoard): readonly (readonly string[])[] {
  const { head, rows } = boardTable(prepared)
  return [head, ...rows.map(([name = '', , ...figures], at) => [name, wordOf(prepared.rows[at]), ...figures])]
}

const wordOf = (row: BoardRow | undefined): string => (row?.judged ? stateWords[row.judged.state] : 'Not judged yet')

/** A figure with its range in brackets. */
const figureWords = ({ text, unit, range }: RowFigure): string =>
  [text, unit, range === '' ? '' : `(${range})`].filter((part) => part !== '').join(' ')

/** Every figure of the runs unrounded, as a list of runs is exported. */
export const boardCsv = ({ runs }: PreparedBoard): string => toCsv(runListRows(runs, metrics))

/** What is said of the board, and its runs with their verdicts and figures: no ids of other runs or alerts. */
export function boardJson(prepared: PreparedBoard): string {
  const { sentence, basis } = boardFace(prepared)
  const runs = prepared.runs.map(
    ({ id, scenario, variant, environment, tool, orderedAt, labels, judged, figures }) => ({
      ...{ id, scenario, variant, environment, tool, orderedAt, labels },
      ...{ judged, figures },
    }),
  )
  return `${JSON.stringify({ sentence, basis, runs }, null, 2)}\n`
}
