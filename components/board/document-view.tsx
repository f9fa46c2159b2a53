import { minJudged } from '@/lib/levels/level-check'
import { formatMs, plural } from '@/lib/format'
import { SeriesSample } from '../charts/plot/legend'
import { seriesStyle } from '../charts/plot/scale'
import { CurlLine } from '../ui/actions/curl-line'
import { Link } from '../ui/links/link'
import { BoardGrid } from './board-grid'
import { BoardNews } from './board-news'
import type { DocumentBoard, DocumentRow } from './document-rows'
import boardStyles from './board.module.css'
import styles from './document.module.css'

interface Props {
  readonly project: { readonly slug: string; readonly name: string; readonly repositoryUrl: string | null }
  readonly board: DocumentBoard
  /** The scenario shown first, by the id of its row; null: the first one. */
  readonly chosen: string | null
  readonly origin: string
}

/** Scenarios with their variants on one scale: each series has one run, so nothing is judged. */
export function DocumentView({ project, board, chosen, origin }: Props) {
  const { news, legend, columns, rows, isLambda } = board
  const path = `/p/${project.slug}`
  const fans = rows.flatMap(({ fan }) => fan ?? [])
  return (
    <>
      <BoardNews news={news} slug={project.slug} repositoryUrl={project.repositoryUrl} />
      <BoardGrid
        fansPath={null}
        query=""
        caption="Scenarios"
        fans={fans}
        fan={fans.find(({ seriesId }) => seriesId === chosen) ?? fans[0] ?? null}
        aside={isLambda ? <ColdStarts rows={rows} legend={legend} /> : null}
        columns={columns.length + columns.filter(({ hasBars }) => hasBars).length + (isLambda ? 1 : 2)}
        above={
          <div className={`row wrap ${boardStyles.head}`}>
            <h2>{plural(rows.length, 'scenario')}</h2>
            <ul className={`flex wrap text-13 ${styles.legend}`}>
              {legend.map(({ name, more }, at) => (
                <li className="inline-row gap-6" key={name}>
                  <SeriesSample style={seriesStyle(at)} />
                  {name}
                  {more === '' ? null : <span className="muted">{more}</span>}
                </li>
              ))}
            </ul>
            <span className="muted">{plural(board.runs, 'run')}</span>
          </div>
        }
        below={<Missing origin={origin} slug={project.slug} />}
        head={
          <tr>
            <th scope="col">Scenario</th>
            {columns.flatMap(({ head, hasBars }) => [
              ...(hasBars ? [<th key={`${head} bars`} scope="col">{`${head.split(',')[0]}, from 0`}</th>] : []),
              <th key={head} scope="col" className="num">
                {head}
              </th>,
            ])}
            {isLambda ? null : (
              <th scope="col" className="num">
                Failed
              </th>
            )}
          </tr>
        }
        rows={rows.map((row) => ({ id: row.id, cells: <Cells row={row} board={board} path={path} /> }))}
      />
    </>
  )
}

function Cells({ row, board, path }: { row: DocumentRow; board: DocumentBoard; path: string }) {
  const { columns, legend, isLambda } = board
  return (
    <>
      <th scope="row" className={`${boardStyles.who} ${styles.who}`}>
        <div className={`row wrap ${boardStyles.name}`}>
          {row.fan === null ? (
            <span className="bold">{row.scenario}</span>
          ) : (
            <Link className="text break" href={`${path}?series=${row.id}`} data-fan="" scroll={false}>
              <span className="bold">{row.scenario}</span>
            </Link>
          )}
        </div>
        <p className={`muted ${boardStyles.why}`}>{row.sentence}</p>
      </th>
      {columns.flatMap(({ head, hasBars }, at) => {
        const figures = row.figures[at] ?? []
        const bars = (
          <td key={`${head} bars`} className={styles.bars} data-bars="">
            {figures.map(({ share }, side) => (
              <span key={side} className={`row ${styles.track}`} aria-hidden="true">
                {share === null ? null : (
                  <i style={{ width: `${share * 100}%`, background: seriesStyle(row.sides[side] ?? 0).color }} />
                )}
              </span>
            ))}
          </td>
        )
        const numbers = (
          <td key={head} className="num" data-label={head}>
            {figures.map(({ text }, side) => (
              <span key={side} className={`row end bold ${styles.value}`}>
                <SeriesSample style={seriesStyle(row.sides[side] ?? 0)} isMarker />
                <span className="visually-hidden">{legend[row.sides[side] ?? 0]?.name}: </span>
                {text}
              </span>
            ))}
          </td>
        )
        return hasBars ? [bars, numbers] : [numbers]
      })}
      {isLambda ? null : (
        <td className="num" data-label="Failed">
          {row.failed.map((text, side) => (
            <span key={side} className={text === '0' ? 'muted' : `row end bold ${styles.value}`}>
              {text}
            </span>
          ))}
        </td>
      )}
    </>
  )
}

/** Why nothing is judged yet, and how to add the next run. */
function Missing({ origin, slug }: { origin: string; slug: string }) {
  return (
    <section className={`above-24 ${styles.missing}`}>
      <h2 className="text-14">No expected range yet</h2>
      <p className="muted">
        Each series has one run, so a change cannot be separated from noise. With {minJudged} runs of a series before
        it, each new run is judged against them, and this page shows them as a band.
      </p>
      <CurlLine origin={origin} slug={slug} />
    </section>
  )
}

/** Duration of a cold invocation: init, then the duration, on one scale. */
function ColdStarts({ rows, legend }: { rows: readonly DocumentRow[]; legend: DocumentBoard['legend'] }) {
  const known = rows.filter(({ cold, sides }) => cold.length > 0 && cold.length === sides.length)
  const largest = Math.max(0, ...known.flatMap(({ cold }) => cold.map(({ initMs, durationMs }) => initMs + durationMs)))
  if (largest === 0) return null
  const percent = (ms: number) => `${(78 * ms) / largest}%`
  return (
    <section className={styles.cold} aria-label="A cold invocation">
      <div className={`flex baseline between gap-12 text-12 ${boardStyles.fanHead}`}>
        <h2>A cold invocation</h2>
        <span className="muted nowrap">init + duration</span>
      </div>
      <dl>
        {known.map(({ id, scenario, cold, sides }) => (
          <div key={id}>
            <dt>{scenario}</dt>
            {cold.map(({ initMs, durationMs }, side) => (
              <dd key={side}>
                <i style={{ width: percent(initMs), background: 'var(--band-2)' }} />
                <i style={{ width: percent(durationMs), background: seriesStyle(sides[side] ?? 0).color }} />
                <span className="visually-hidden">{legend[sides[side] ?? 0]?.name}: </span>
                {formatMs(initMs + durationMs)}
              </dd>
            ))}
          </div>
        ))}
      </dl>
      <ul className={`flex wrap muted text-12 ${boardStyles.keys}`}>
        <li>
          <i data-kind="half" aria-hidden="true" />
          init
        </li>
        {legend.map(({ name }, at) => (
          <li key={name}>
            <i style={{ background: seriesStyle(at).color }} aria-hidden="true" />
            duration, {name}
          </li>
        ))}
      </ul>
    </section>
  )
}
