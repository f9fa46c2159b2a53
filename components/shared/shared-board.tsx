import { BoardCells } from '../board/board-cells'
import { leadLabel } from '../board/board-rows'
import { shareHref } from '../matrix/matrix-cells'
import type { PreparedBoard } from './prepare-board'
import { ShareNotes } from './share-notes'
import boardStyles from '../board/board.module.css'
import styles from './shared-comparison.module.css'

interface Props {
  readonly token: string
  readonly prepared: PreparedBoard
  /** Markdown; empty: none. */
  readonly notes: string
}

/** A board for strangers: each series with the run that was its newest. Names link to these runs within the share. */
export function SharedBoard({ token, prepared: { rows, metric }, notes }: Props) {
  const hrefOf = shareHref(token)
  return (
    <div className={`grid gap-16 one-column ${styles.parts}`}>
      <div>
        <table className={`plain-table ${boardStyles.board}`}>
          <caption className="visually-hidden">Series</caption>
          <thead>
            <tr>
              <th scope="col">Series and judgement</th>
              <th scope="col" className="num">
                {metric.shortLabel}
              </th>
              <th scope="col" className="num">
                Served/s
              </th>
              <th scope="col" className="num">
                Failed
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id} data-series={row.id}>
                <BoardCells
                  row={row}
                  href={row.runId === null ? null : hrefOf([[row.runId]])}
                  fanHref={null}
                  leadLabel={leadLabel(metric)}
                />
              </tr>
            ))}
          </tbody>
        </table>
        <p className={`muted above-10 ${boardStyles.legend}`}>
          Below a figure: the range in which the run was expected.
        </p>
      </div>
      <ShareNotes notes={notes} />
    </div>
  )
}
