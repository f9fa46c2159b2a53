import { Link } from '../ui/link'
import type { ReactNode } from 'react'
import { plural } from '@/lib/format'
import type { RunRow, SavedComparison } from '@/lib/run/stored'
import { LineSample } from '../charts/plot/drawing'
import { seriesStyle } from '../charts/plot/scale'
import { ShareButton } from '../share/share-button'
import { CopyButton } from '../ui/copy-button'
import { SoftLinks } from '../ui/soft-links'
import { compareHref, maxCompared } from '../../lib/judge/compare-url'
import { groupRepeats, ungroup } from './group-repeats'
import styles from './run-strip.module.css'

interface Props {
  readonly projectSlug: string
  /** The base first; the runs of a side repeat each other. */
  readonly sides: readonly (readonly RunRow[])[]
  /** What distinguishes the sides, in their order. */
  readonly names: readonly string[]
  /** Query string of the page, without `?`: every link keeps it. */
  readonly view: string
  /** Its words are proposed for a share; absent: nothing is saved. */
  readonly saved?: SavedComparison
  /** More buttons, such as to save it. */
  readonly children?: ReactNode
}

/** The compared sides with the line they have in every chart, and links that reorder them. The URL holds the order. */
export function RunStrip({ projectSlug, sides, names, view, saved, children }: Props) {
  const ids = sides.map((side) => side.map((run) => run.id))
  const to = (order: readonly (readonly string[])[]) => compareHref(projectSlug, order, view)
  return (
    <header className={styles.strip}>
      <SoftLinks>
        <ol className={styles.runs}>
          {sides.map((side, index) => {
            const own = ids[index] ?? []
            const rest = ids.filter((_, at) => at !== index)
            return (
              <li key={own.join('+')} className={styles.run}>
                <Line index={index} />
                <SideName projectSlug={projectSlug} side={side} name={names[index] ?? ''} />
                {index === 0 ? <span className={`chip ${styles.line}`}>base</span> : null}
                <span className={styles.moves}>
                  {index > 0 && (
                    <Move href={to([own, ...rest])} text="make baseline" label={`Make ${names[index]} the baseline`} />
                  )}
                  {index > 1 && (
                    <Move href={to(swapped(ids, index - 1))} text="‹" label={`Move ${names[index]} left`} />
                  )}
                  {index > 0 && index < ids.length - 1 && (
                    <Move href={to(swapped(ids, index))} text="›" label={`Move ${names[index]} right`} />
                  )}
                  {ids.length > 2 && <Move href={to(rest)} text="×" label={`Remove ${names[index]}`} />}
                </span>
              </li>
            )
          })}
        </ol>
      </SoftLinks>
      <span className={styles.actions}>
        {ids.length === 2 && (
          <Link className="button" href={to([...ids].reverse())} data-command="Swap sides">
            Swap
          </Link>
        )}
        <CopyButton text={null} label="Copy link" command="Copy link" />
        <ShareButton
          projectSlug={projectSlug}
          kind="comparison"
          sides={ids}
          name={saved?.name ?? names.join(' vs ').slice(0, 200)}
          notes={[saved?.takeaways, saved?.notes].filter(Boolean).join('\n\n')}
          view={view}
        />
        {children}
      </span>
      <Repeats sides={sides} to={to} />
    </header>
  )
}

/** One run by its name; repeats by their number, each a link. */
function SideName(props: { readonly projectSlug: string; readonly side: readonly RunRow[]; readonly name: string }) {
  const { projectSlug, side, name } = props
  const [only, ...others] = side
  if (only && others.length === 0) {
    return (
      <Link href={`/p/${projectSlug}/runs/${only.id}`} className={styles.name}>
        {name}
      </Link>
    )
  }
  return (
    <>
      <span className={styles.name}>{name}</span>
      <span className="muted">
        {plural(side.length, 'run')}:{' '}
        {side.map((run, at) => (
          <Link key={run.id} href={`/p/${projectSlug}/runs/${run.id}`} aria-label={`Run ${at + 1} of ${name}`}>
            {at + 1}
            {at < side.length - 1 && ' '}
          </Link>
        ))}
      </span>
    </>
  )
}

/** Proposes to read runs of one scenario, variant and environment as repeats, or to take repeats apart. */
function Repeats(props: {
  readonly sides: readonly (readonly RunRow[])[]
  readonly to: (order: readonly (readonly string[])[]) => string
}) {
  const { sides, to } = props
  const grouped = groupRepeats(sides)
  const apart = ungroup(sides, maxCompared)
  if (grouped === null && apart === null) return null
  return (
    <p className={styles.repeats}>
      {grouped !== null && (
        <>
          Some of these runs share scenario, variant and environment. Read as repeats, their spread separates noise from
          change. <Link href={to(grouped)}>Read as {grouped.map((side) => side.length).join(' + ')} repeats</Link>
        </>
      )}
      {grouped === null && apart !== null && <Link href={to(apart)}>Compare each run separately</Link>}
    </p>
  )
}

/** The neighbours at `index` and `index + 1` exchanged. */
function swapped<One>(list: readonly One[], index: number): readonly One[] {
  return [...list.slice(0, index), ...list.slice(index, index + 2).reverse(), ...list.slice(index + 2)]
}

function Move({ href, text, label }: { readonly href: string; readonly text: string; readonly label: string }) {
  return (
    <a href={href} className={styles.move} aria-label={label} title={label} data-soft>
      {text}
    </a>
  )
}

/** A side's line as charts draw it. */
export function Line({ index }: { readonly index: number }) {
  return <LineSample series={seriesStyle(index)} stroke={3} />
}
