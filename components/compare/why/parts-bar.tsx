import type { ShownKind, ShownPart, ShownParts } from '@/lib/explain/shown-parts'
import { formatCount, formatMs } from '@/lib/format'
import { signed, shareOf } from './part-words'
import styles from './parts-bar.module.css'

const look: Readonly<Record<ShownKind, string | undefined>> = {
  named: styles.named,
  common: styles.common,
  mix: styles.mix,
  rest: styles.rest,
}

/** What a difference consists of, as one bar and a list: the numbers of requests add up exactly. */
export function PartsBar({ shown }: { readonly shown: ShownParts }) {
  const difference = shown.headRows - shown.baseRows
  return (
    <>
      <Bar parts={shown.parts} difference={difference} className={styles.bar} />
      <ul className={styles.parts}>
        {shown.parts.map((part) => (
          <li key={part.kind}>
            <i className={look[part.kind]} aria-hidden="true" />
            <span>
              <b>{part.words}</b>
              <small>{part.more}</small>
            </span>
            <span className={styles.value}>
              <b>{signed(part.rows)}</b>
              <small>{shareOf(part.rows, difference)}</small>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** What goes the other way lies left of the line. */
function Bar(props: {
  readonly parts: readonly ShownPart[]
  readonly difference: number
  readonly className: string | undefined
}) {
  const sign = props.difference < 0 ? -1 : 1
  const against = props.parts.filter(({ rows }) => sign * rows < 0)
  const along = props.parts.filter(({ rows }) => sign * rows > 0)
  return (
    <div className={`flex ${styles.stack} ${props.className ?? ''}`} aria-hidden="true">
      {against.map(({ kind, rows }) => (
        <span
          key={kind}
          className={`${look[kind] ?? ''} ${styles.against ?? ''}`}
          style={{ flexGrow: Math.abs(rows) }}
        />
      ))}
      {against.length > 0 && <span className={styles.zero} />}
      {along.map(({ kind, rows }) => (
        <span key={kind} className={look[kind]} style={{ flexGrow: Math.abs(rows) }} />
      ))}
    </div>
  )
}

/** The same split above other latencies: a row each. */
export function PartsByLatency({ all, here }: { readonly all: readonly ShownParts[]; readonly here: string }) {
  return (
    <table className={`text-13 ${styles.latencies}`}>
      <thead>
        <tr>
          <th scope="col">Slower than</th>
          <th scope="col" className="num">
            Requests
          </th>
          <th scope="col">
            <span className="visually-hidden">Parts, drawn</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {all.map((one) => (
          <tr key={one.name} aria-current={one.name === here ? 'true' : undefined}>
            <th scope="row">
              {one.name} <span className="muted regular">{formatMs(one.thresholdMs)}</span>
            </th>
            <td className="num">
              {signed(one.headRows - one.baseRows)} <span className="muted">of {formatCount(one.headRows)}</span>
            </td>
            <td className={styles.drawn}>
              <Bar parts={one.parts} difference={one.headRows - one.baseRows} className={styles.thin} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
