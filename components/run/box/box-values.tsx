import type { BoxAnswer, BoxValue } from '@/lib/explain/explain-box'
import { wholePercent } from '@/lib/explain/why-sentence'
import { formatCount, formatMs } from '@/lib/format'
import { quantileName } from '@/lib/stats/quantile'
import styles from './box.module.css'

const maxShown = 12

/** Values by how their share in the box differs from that of the rest; grey: not beyond chance. */
export function BoxValues({ answer }: { readonly answer: BoxAnswer }) {
  const { values, insideRows, outsideRows } = answer
  if (values.length === 0) return null
  const left = values.length - maxShown
  return (
    <section aria-label="Values">
      <table className={`text-13 ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">Value</th>
            <th scope="col" className="num">
              In the box
            </th>
            <th scope="col" className="num">
              In the rest
            </th>
            <th scope="col" className={styles.drawn}>
              <span className="visually-hidden">Both, drawn</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {values.slice(0, maxShown).map((one) => (
            <Row key={`${one.attribute} ${one.value}`} {...one} />
          ))}
        </tbody>
      </table>
      <p className="muted text-12">
        Filled: in the box ({formatCount(insideRows)}). Hollow: in the rest ({formatCount(outsideRows)}). Grey: not
        beyond chance.{left > 0 && ` ${formatCount(left)} more values are as in the rest, or nearer to it.`}
      </p>
    </section>
  )
}

function Row({ attribute, value, inside, outside, insideRows, outsideRows, standsOut, isAlias }: BoxValue) {
  const note = isAlias
    ? 'the same requests'
    : standsOut && outsideRows === 0
      ? `all ${formatCount(insideRows)} of the run`
      : ''
  return (
    <tr className={standsOut ? undefined : 'muted'}>
      <th scope="row">
        <span className="muted">{attribute.replace(/^header:/, '')}</span> {value}
        {note !== '' && <small className="muted">{note}</small>}
      </th>
      <td className="num">{standsOut ? <b>{wholePercent(inside)}</b> : wholePercent(inside)}</td>
      <td className="num">{wholePercent(outside)}</td>
      <td className={styles.drawn}>
        <span className={styles.track} aria-hidden="true">
          <span
            className={styles.between}
            style={{ left: percent(Math.min(inside, outside)), right: percent(1 - Math.max(inside, outside)) }}
          />
          <span className={styles.outside} style={{ left: percent(outside) }} />
          <span className={styles.inside} style={{ left: percent(inside) }} />
        </span>
      </td>
    </tr>
  )
}

const percent = (share: number): string => `${Number((100 * share).toFixed(2))}%`

const shownQuantiles: readonly number[] = [0.5, 0.75, 0.9, 0.95, 0.99]

/** Of a box of times: the share of slow requests in it and in the rest, and what their difference consists of. */
export function BoxParts({ parts }: Pick<BoxAnswer, 'parts'>) {
  const shown = parts.filter(({ q }) => shownQuantiles.includes(q))
  if (shown.length === 0) return null
  const points = (share: number) => {
    const size = Math.abs(100 * share).toFixed(1)
    return size === '0.0' ? '0' : `${share < 0 ? '−' : '+'}${size}`
  }
  const sum = (one: BoxAnswer['parts'][number], kind: string) =>
    one.parts.reduce((total, part) => total + (part.kind === kind ? part.share : 0), 0)
  return (
    <section aria-label="Slow requests">
      <h2 className={styles.title}>Slow requests in the box</h2>
      <table className={`text-13 ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">Slower than</th>
            <th scope="col" className="num">
              In the box
            </th>
            <th scope="col" className="num">
              In the rest
            </th>
            <th scope="col" className="num">
              Within
            </th>
            <th scope="col" className="num">
              Mix
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <tr key={one.q}>
              <th scope="row">
                {quantileName(one.q)} <span className="muted">{formatMs(one.thresholdMs)}</span>
              </th>
              <td className="num">{wholePercent(one.headShare)}</td>
              <td className="num">{wholePercent(one.baseShare)}</td>
              <td className="num">{points(sum(one, 'within'))}</td>
              <td className="num">{points(sum(one, 'mix'))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="muted text-12">
        Percentiles are those of the rest. In points: within, requests of the same target are slower; mix, there are
        other targets.
      </p>
    </section>
  )
}
