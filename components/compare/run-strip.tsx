import Link from 'next/link'
import type { RunRow } from '@/lib/stored'
import { seriesStyle } from '../charts/scale'
import { ShareButton } from '../share/share-button'
import { CopyLinkButton } from './copy-link-button'
import { compareUrl } from './compare-url'
import styles from './run-strip.module.css'

interface Props {
  readonly projectSlug: string
  /** The base first. */
  readonly runs: readonly RunRow[]
  /** What tells them apart, in their order. */
  readonly names: readonly string[]
  readonly metricIds: readonly string[] | null
}

/** The compared runs with the line they have in every chart, and links that reorder them. The URL holds the order. */
export function RunStrip({ projectSlug, runs, names, metricIds }: Props) {
  const ids = runs.map((run) => run.id)
  const to = (order: readonly string[]) => compareUrl(projectSlug, order, metricIds)
  return (
    <header className={styles.strip}>
      <ol className={styles.runs}>
        {runs.map((run, index) => (
          <li key={run.id} className={styles.run}>
            <Line index={index} />
            <Link href={`/p/${projectSlug}/runs/${run.id}`} className={styles.name}>
              {names[index]}
            </Link>
            {index === 0 ? <span className="chip">base</span> : null}
            <span className={styles.moves}>
              {index > 0 && (
                <Move
                  href={to([run.id, ...ids.filter((id) => id !== run.id)])}
                  text="make base"
                  label={`Make ${names[index]} the base`}
                />
              )}
              {index > 1 && (
                <Move href={to(swapped(ids, index - 1))} text="‹" label={`Move ${names[index]} to the left`} />
              )}
              {index > 0 && index < ids.length - 1 && (
                <Move href={to(swapped(ids, index))} text="›" label={`Move ${names[index]} to the right`} />
              )}
              {ids.length > 2 && (
                <Move href={to(ids.filter((id) => id !== run.id))} text="×" label={`Remove ${names[index]}`} />
              )}
            </span>
          </li>
        ))}
      </ol>
      <span className={styles.actions}>
        {ids.length === 2 && (
          <Link className="button" href={to([...ids].reverse())}>
            Swap
          </Link>
        )}
        <CopyLinkButton />
        <ShareButton
          projectSlug={projectSlug}
          kind="comparison"
          runIds={ids}
          name={names.join(' vs ').slice(0, 200)}
          notes=""
        />
      </span>
    </header>
  )
}

/** The neighbours at `index` and `index + 1` exchanged. */
function swapped(ids: readonly string[], index: number): readonly string[] {
  return [...ids.slice(0, index), ...ids.slice(index, index + 2).reverse(), ...ids.slice(index + 2)]
}

function Move({ href, text, label }: { readonly href: string; readonly text: string; readonly label: string }) {
  return (
    <Link href={href} className={styles.move} aria-label={label} title={label} prefetch={false} scroll={false}>
      {text}
    </Link>
  )
}

/** A run's line as charts draw it. */
export function Line({ index }: { readonly index: number }) {
  const { color, dash } = seriesStyle(index)
  return (
    <svg width="28" height="10" aria-hidden="true" className={styles.line}>
      <line x1="0" x2="28" y1="5" y2="5" stroke={color} strokeWidth="3" strokeDasharray={dash} />
    </svg>
  )
}
