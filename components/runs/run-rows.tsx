'use client'

import { Link } from '../ui/link'
import { LabelChips } from '../ui/chip'
import { StateMark } from '../ui/state-mark'
import timeStyles from '../ui/time.module.css'
import { listHref } from './list-url'
import styles from './runs-table.module.css'
import type { ShownRun } from './shown-runs'

interface Props {
  readonly rows: readonly ShownRun[]
  /** Path of the list and its present query string. */
  readonly path: string
  readonly query: string
  readonly withEnvironment: boolean
  readonly withLabels: boolean
}

/** The lines of the history. Drawn in the browser again: a page carries their words, not their elements twice. */
export function RunRows({ rows, path, query, withEnvironment, withLabels }: Props) {
  const params = new URLSearchParams(query)
  const labelHref = (key: string, value: string) => listHref(path, params, { label: `${key}=${value}` })
  return rows.map((row) => (
    <tr key={row.id}>
      <td>
        <label>
          <input type="checkbox" name="run" value={row.id} data-at={row.orderedAt} aria-label={`Select ${row.name}`} />
        </label>
      </td>
      <th scope="row" className={styles.who}>
        <Link href={`${path}/${row.id}`} title={row.name}>
          <span className={styles.name}>{row.name}</span>
        </Link>
        {row.repeats && (
          <Link href={row.repeats.href} className={`chip ${styles.repeats}`} title={row.repeats.title}>
            {row.repeats.count} runs
          </Link>
        )}
        {row.isCandidate && (
          <span className={`chip ${styles.repeats}`} title="Judged against its series, and never part of it">
            candidate
          </span>
        )}
        {row.isCut && (
          <span className={`chip ${styles.cut}`} title="Truncated output: these are the figures that could be read">
            {' '}
            truncated{' '}
          </span>
        )}
      </th>
      <td>
        <StateMark judged={row.judged} />
      </td>
      <td className={styles.when}>
        <time className={timeStyles.time} dateTime={row.orderedAt} title={row.time}>
          {row.ago}
        </time>
      </td>
      {withEnvironment && (
        <td className={styles.where} title={row.environment ?? undefined}>
          {row.environment === null ? (
            <span className="muted">–</span>
          ) : (
            <span className={styles.name}>{row.environment}</span>
          )}
        </td>
      )}
      <td>{row.tool}</td>
      {row.cells.map(({ text, title, spread }, at) => (
        <td key={at} className="num" title={title}>
          {text}
          {spread !== undefined && <small className={styles.spread}>{spread}</small>}
        </td>
      ))}
      {withLabels && (
        <td className={styles.labels}>
          <LabelChips labels={row.labels} folded={row.folded} hrefOf={labelHref} />
        </td>
      )}
    </tr>
  ))
}
