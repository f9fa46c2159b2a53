import { StripDrawing } from '../charts/plot/rows/strip'
import { Fact } from '../facts/fact'
import { Link } from '../ui/links/link'
import { LimitChips } from '../ui/limit-chips'
import { StandingMarks } from '../ui/standing-marks'
import type { BoardRow, RowFigure } from './board-rows'
import styles from './board.module.css'

interface Props {
  readonly row: BoardRow
  /** The page of its newest run; null: it has none. */
  readonly href: string | null
  /** The address of its fan, which its strip leads to; null: it has no strip. */
  readonly fanHref: string | null
  readonly leadLabel: string
}

/** The cells of a row: name with judgement, strip, figures with their expected ranges. */
export function BoardCells({ row, href, fanHref, leadLabel }: Props) {
  const { scenario, rest, runId, judged, limits, note, strip } = row
  const name = [scenario, ...rest].join(' › ')
  const shown = (
    <>
      <span className="bold">{scenario}</span>
      {rest.map((one) => (
        <span key={one}>
          <span className={`muted ${styles.then}`} aria-hidden="true">
            ›
          </span>
          {one}
        </span>
      ))}
    </>
  )
  return (
    <>
      <th scope="row" className={styles.who}>
        <div className={`row wrap ${styles.name}`}>
          {href === null ? (
            <span className="text break">{shown}</span>
          ) : (
            <Link className="text break" href={href}>
              {shown}
            </Link>
          )}
          {runId === null ? null : (
            <>
              <StandingMarks judged={judged} standing={row.standing} runId={runId} />
              <LimitChips limits={limits} runId={runId} />
            </>
          )}
        </div>
        <p className={`muted ${styles.why}`}>{[judged?.sentence ?? '', note].filter((one) => one !== '').join(' ')}</p>
      </th>
      {fanHref === null ? null : (
        <td className={styles.strip}>
          {runId === null ? null : (
            <Link href={fanHref} data-fan="" aria-label={`Percentiles of ${name}`} scroll={false}>
              {strip === null ? <span className="muted">one run</span> : <StripDrawing strip={strip} />}
            </Link>
          )}
        </td>
      )}
      <Figure label={leadLabel} figure={row.lead} state={judged?.state} />
      <Figure label="Served/s" figure={row.served} state={judged?.state} />
      <Figure label="Failed" figure={row.failed} state={judged?.state} />
    </>
  )
}

function Figure({ label, figure, state }: { label: string; figure: RowFigure; state: string | undefined }) {
  const { text, unit, range, isOff, title, isFew, fact, expected } = figure
  return (
    <td
      className="num"
      data-label={label}
      data-state={isOff ? state : undefined}
      title={title === '' ? undefined : title}
    >
      <Fact of={fact} className={text === '0' ? 'muted' : `bold ${styles.figure}`} data-few={isFew}>
        {text}
      </Fact>
      {unit === '' ? null : <span className="muted"> {unit}</span>}
      {range === '' ? null : (
        <Fact of={expected} part="range" as="small" className={`block muted ${styles.range}`}>
          {range}
        </Fact>
      )}
    </td>
  )
}
