import { RenderedMarkup, element, joined, words, type Attributes, type Markup } from '../../ui/markup'
import styles from './plot.module.css'

/** The labels on the axis of a forest plot. Places are shares of its width, 0.5 is no change. */
export interface ForestScale {
  readonly ticks: readonly { readonly at: number; readonly text: string; readonly isSpare: boolean }[]
}

/** A cell of a forest plot, in shares of its width: ready to draw. */
export interface ForestCell {
  /** Changes too small to matter; null: not judged. */
  readonly zone: { readonly left: number; readonly right: number } | null
  /** Null: no ratio expresses the change. */
  readonly mark: {
    readonly tone: 'better' | 'worse' | 'quiet'
    readonly at: number
    /** The interval; null: there is none, the mark is hollow on a stem. */
    readonly from: number | null
    readonly to: number | null
    /** Whether it continues beyond the axis. */
    readonly isOpen: readonly [left: boolean, right: boolean]
    /** The mark itself is off the axis: an arrow with its number. */
    readonly beyond: 'left' | 'right' | null
    /** How many times, without direction. */
    readonly text: string
  } | null
}

const percent = (share: number): string => `${Number((share * 100).toFixed(2))}%`
const middle = '50%'

const across = (from: number, to: number, attributes: Attributes): Markup =>
  element('line', { x1: percent(from), x2: percent(to), y1: middle, y2: middle, ...attributes })

/** Something drawn around a place on the middle line. */
const placed = (at: number, inner: Markup): Markup =>
  element('svg', { x: percent(at), y: middle, overflow: 'visible' }, inner)

/** One cell as text, for a table whose rows are written as text. The table states in words what the cell shows. */
export function forestMarkup({ ticks }: ForestScale, { zone, mark }: ForestCell): Markup {
  return element(
    'svg',
    { class: styles.forest, width: '100%', height: '100%', 'aria-hidden': 'true', 'data-tone': mark?.tone },
    joined(
      zone === null
        ? joined()
        : element('rect', {
            x: percent(zone.left),
            width: percent(zone.right - zone.left),
            height: '100%',
            'data-zone': 1,
          }),
      ...ticks.map(({ at, isSpare }) =>
        element('line', {
          x1: percent(at),
          x2: percent(at),
          y2: '100%',
          class: at === 0.5 ? styles.forestSame : isSpare ? `${styles.grid} ${styles.spare}` : styles.grid,
        }),
      ),
      mark === null ? joined() : markOf(mark),
    ),
  )
}

function markOf(mark: NonNullable<ForestCell['mark']>): Markup {
  const { at, from, to, isOpen, beyond, text } = mark
  const dot = element('circle', { r: from === null ? 4.2 : 4, 'data-hollow': from === null ? 1 : undefined })
  const cap = (share: number, open: boolean, left: boolean) =>
    placed(share, element('path', { d: open ? (left ? 'M4-4L0 0L4 4' : 'M-4-4L0 0L-4 4') : 'M0-4V4', fill: 'none' }))
  const interval =
    from === null || to === null
      ? across(0.5, at, { 'data-stem': 1 })
      : joined(across(from, to, {}), cap(from, isOpen[0], true), cap(to, isOpen[1], false))
  if (beyond === null) return joined(interval, placed(at, dot))
  const isLeft = beyond === 'left'
  const arrow = element('path', { d: isLeft ? 'M0 0L8-4.5V4.5z' : 'M0 0L-8-4.5V4.5z', 'data-arrow': 1 })
  const said = element('text', { x: isLeft ? 12 : -12, y: -5, 'text-anchor': isLeft ? 'start' : 'end' }, words(text))
  return joined(interval, placed(at, joined(arrow, said)))
}

/** The axis in the column's head. */
export function ForestAxis({ scale: { ticks } }: { scale: ForestScale }) {
  const texts = ticks.map(({ at, text, isSpare }) =>
    element('text', { x: percent(at), y: 13, class: isSpare ? styles.spare : undefined }, words(text)),
  )
  return (
    <svg className={styles.forestAxis} width="100%" height="18" aria-hidden="true">
      <RenderedMarkup as="g" markup={joined(...texts)} />
    </svg>
  )
}
