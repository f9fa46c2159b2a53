import { formatDay, plural } from '@/lib/format'
import type { RunRow } from '@/lib/history/stored-runs'
import { compareHref, maxCompared, whyHref, writeSides } from '../../lib/judge/compare-url'
import { SideKey } from '../charts/plot/legend'
import { seriesStyle } from '../charts/plot/scale'
import { Icon } from '../ui/icon'
import { Link } from '../ui/links/link'
import { Menu } from '../ui/menu'
import { ClientSideLinks } from '../ui/links/client-side-links'
import { minShort } from './distinct-names'
import type { WholeSides } from './prepare-comparison'
import { groupRepeats, ungroup, type SideIds } from './group-repeats'
import styles from './side-pills.module.css'

interface Props {
  readonly projectSlug: string
  /** The base first; the runs of a side repeat each other. */
  readonly sides: readonly (readonly RunRow[])[]
  /** What represents the runs of each side in addresses. */
  readonly refs: SideIds
  /** Sides with all of the runs that they repeat, if there are more; null: there are none. */
  readonly whole: WholeSides | null
  /** What distinguishes the sides, in their order. */
  readonly names: readonly string[]
  /** Query string of the page, without `?`: every link keeps it. */
  readonly view: string
  /** The page is about what a difference stands with: its links lead to the same of other sides. */
  readonly isWhy?: boolean
}

/** The compared sides with their line in every chart; actions on each are behind its ⋯. */
export function SidePills({ projectSlug, sides, refs: ids, whole, names, view, isWhy = false }: Props) {
  const to = (order: readonly (readonly string[])[]) =>
    isWhy ? whyHref(projectSlug, order) : compareHref(projectSlug, order, view)
  const scenarios = [...new Set(sides.flat().map((run) => run.scenario))]
  return (
    <ClientSideLinks className={`row wrap gap-8 ${styles.sides}`}>
      {/* On a phone, so many sides would take the first screen: they are one line until it is checked. */}
      {sides.length >= minShort && (
        <label className={`outlined text-13 slim ${styles.fold}`}>
          <input type="checkbox" />
          <span className="truncate">
            <span className="bold">{names[0]}</span> <span className="muted">and {sides.length - 1} more sides</span>
          </span>
        </label>
      )}
      <ol className="row wrap gap-8 slim" aria-label="Sides">
        {sides.map((side, index) => (
          <li key={ids[index]?.join('+')} className={`row wrap gap-8 slim ${styles.place}`}>
            {index === 1 && sides.length === 2 && (
              <a
                href={to([...ids].reverse())}
                className={`screen-only ${styles.swap}`}
                aria-label="Swap sides"
                title="Swap sides"
                data-command="Swap sides"
                data-client-side
              >
                <Icon name="swap" />
              </a>
            )}
            <span className={`outlined inline-row gap-8 text-13 slim ${styles.pill}`}>
              <SideKey style={seriesStyle(index)} />
              <SideName projectSlug={projectSlug} side={side} name={names[index] ?? ''} />
              {index === 0 && <span className="tag text-12">base</span>}
              <Menu label={`Options of ${names[index] ?? ''}`} at="start">
                <SideMenu projectSlug={projectSlug} side={side} name={names[index] ?? ''} />
                {movesOf(ids, index).map(({ word, order }) => (
                  <a key={word} href={to(order)} aria-label={`${word}: ${names[index] ?? ''}`} data-client-side>
                    {word}
                  </a>
                ))}
              </Menu>
            </span>
          </li>
        ))}
      </ol>
      {sides.length < maxCompared && (
        <Link href={`/p/${projectSlug}/compare?to=${writeSides(ids)}`} className={styles.add}>
          <Icon name="plus" /> Add run
        </Link>
      )}
      <Regroup sides={sides} whole={whole} to={to} />
      {/* With more sides, the bar above names them. */}
      {sides.length < minShort && (
        <span className={`muted text-13 push ${styles.about}`}>
          {scenarios.length === 1 ? scenarios[0] : plural(scenarios.length, 'scenario')}
        </span>
      )}
    </ClientSideLinks>
  )
}

/** A side that is one run, by its name; repeats by name, number and period. */
function SideName(props: { readonly projectSlug: string; readonly side: readonly RunRow[]; readonly name: string }) {
  const { projectSlug, side, name } = props
  const [only, ...others] = side
  if (only && others.length === 0)
    return (
      <Link href={`/p/${projectSlug}/runs/${only.id}`} className={`text bold ${styles.name}`}>
        {name}
      </Link>
    )
  return (
    <>
      <span className={`text bold ${styles.name}`}>{name}</span>
      <span className="muted text-12">{[plural(side.length, 'run'), periodOf(side)].join(' · ')}</span>
    </>
  )
}

/** Runs of a side that its menu opens. */
const maxListed = 20

/** A menu of the runs of a side that has several. */
function SideMenu(props: { readonly projectSlug: string; readonly side: readonly RunRow[]; readonly name: string }) {
  const { projectSlug, side, name } = props
  const more = side.length - maxListed
  return (
    <>
      {side.slice(0, maxListed).map((run, at) => (
        <Link
          key={run.id}
          href={`/p/${projectSlug}/runs/${run.id}`}
          aria-label={`Open run${side.length > 1 ? ` ${at + 1}` : ''} of ${name}`}
        >
          Open run{side.length > 1 && ` ${at + 1}`}
        </Link>
      ))}
      {more > 0 && <span className="muted">{`and ${more} more`}</span>}
    </>
  )
}

interface Move {
  readonly word: string
  readonly order: readonly (readonly string[])[]
}

/** Actions on the side at a position; the order is in the address. */
function movesOf(ids: readonly (readonly string[])[], index: number): readonly Move[] {
  const own = ids[index] ?? []
  const rest = ids.filter((_, at) => at !== index)
  return [
    ...(index > 0 ? [{ word: 'Make base', order: [own, ...rest] }] : []),
    ...(index > 1 ? [{ word: 'Move left', order: swapped(ids, index - 1) }] : []),
    ...(index > 0 && index < ids.length - 1 ? [{ word: 'Move right', order: swapped(ids, index) }] : []),
    ...(ids.length > 2 ? [{ word: 'Remove', order: rest }] : []),
  ]
}

/** Swaps the neighbours at `index` and `index + 1`. */
function swapped<One>(list: readonly One[], index: number): readonly One[] {
  return [...list.slice(0, index), ...list.slice(index, index + 2).reverse(), ...list.slice(index + 2)]
}

/** When the runs of a side started: a day and times, or days. */
function periodOf(side: readonly RunRow[]): string {
  const starts = side.map((run) => run.startedAt ?? run.uploadedAt).sort()
  const [first = '', last = first] = [starts[0], starts.at(-1)]
  const [from, until] = [formatDay(first), formatDay(last)]
  if (from !== until) return `${from}–${until}`
  const [start, end] = [first.slice(11, 16), last.slice(11, 16)]
  return start === end ? `${from}, ${start}` : `${from}, ${start}–${end}`
}

/**
 * Adds all rounds of an experiment, groups runs of one scenario, variant and environment as repeats, or ungroups
 * repeats.
 */
function Regroup(props: {
  readonly sides: readonly (readonly RunRow[])[]
  readonly whole: WholeSides | null
  readonly to: (order: readonly (readonly string[])[]) => string
}) {
  const { sides, whole, to } = props
  if (whole !== null)
    return (
      <Link href={to(whole.refs)} className={styles.add} title="The experiment has more rounds than are compared here.">
        Compare all {whole.counts.join(' + ')} runs
      </Link>
    )
  const grouped = groupRepeats(sides)
  const apart = ungroup(sides, maxCompared)
  if (grouped !== null)
    return (
      <Link
        href={to(grouped)}
        className={styles.add}
        title="Some of these runs share scenario, variant and environment: their spread separates noise from change."
      >
        Read as {grouped.map((side) => side.length).join(' + ')} repeats
      </Link>
    )
  if (apart === null) return null
  return (
    <Link href={to(apart)} className={styles.add}>
      Compare each run separately
    </Link>
  )
}
