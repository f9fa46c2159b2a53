import type { JudgedState } from '../../../../lib/run/judged-states'
import { RenderedMarkup, element, joined, words, type Markup } from '../../../ui/markup'
import styles from './rows.module.css'
import { markerPaint, markerPaths, pathThrough } from '../svg'
import { stateStyle } from '../state-style'
import { packReads, type StripReads } from './strip-reads'

/** From the left and from the top, shares of the box. */
export type StripPlace = readonly [right: number, down: number]

/** The contents of a strip, in shares of its box: ready to draw. */
export interface Strip {
  /** Where the environment was another, with what is said of that. */
  readonly moved: readonly { readonly left: number; readonly right: number; readonly words: string }[]
  readonly bands: readonly {
    readonly left: number
    readonly right: number
    readonly top: number
    readonly bottom: number
  }[]
  readonly medians: readonly { readonly left: number; readonly right: number; readonly down: number }[]
  /** Where the level changed. */
  readonly changes: readonly number[]
  /** Runs without a gap between them. */
  readonly threads: readonly (readonly StripPlace[])[]
  /** Past runs, and those of them that were outside. */
  readonly dots: readonly StripPlace[]
  readonly outside: readonly StripPlace[]
  /** Null: it has no such figure. */
  readonly newest: StripPlace | null
  readonly state: JudgedState | null
  /** `beyond`: it is at the edge, because its value is farther that way. */
  readonly limits: readonly {
    readonly name: string
    readonly down: number
    readonly beyond: 'above' | 'below' | null
  }[]
  /** What the pointer reads at each run; null: nothing. */
  readonly reads: StripReads | null
  /** For screen readers. */
  readonly label: string
}

const units = 1_000
const percent = (share: number): string => `${Number((share * 100).toFixed(2))}%`

/**
 * The last runs of a series in their band: no axis, the figure is beside it. As wide as its container; works without
 * scripts.
 */
export function StripDrawing({ strip, height = 46 }: { strip: Strip; height?: number }) {
  const reads = strip.reads === null ? {} : { 'data-reads': packReads(strip.reads) }
  return (
    <svg className={styles.strip} width="100%" height={height} role="img" aria-label={strip.label} {...reads}>
      <RenderedMarkup as="g" markup={draw(strip)} />
    </svg>
  )
}

function draw(strip: Strip): Markup {
  const { moved, bands, medians, changes, threads, dots, outside, newest, state, limits } = strip
  const lines = joined(
    ...threads.map((places) =>
      path(pathThrough(places, units), { stroke: 'var(--dot)', 'stroke-width': 0.75, 'stroke-opacity': 0.55 }),
    ),
    // With round ends, a line of no length is a dot: one path for all of them.
    path(dots.map((one) => `${pathThrough([one], units)}h0`).join(''), {
      stroke: 'var(--dot)',
      'stroke-width': 3.4,
      'stroke-linecap': 'round',
    }),
  )
  const box = { viewBox: `0 0 ${units} ${units}`, preserveAspectRatio: 'none', width: '100%', height: '100%' }
  return joined(
    ...bands.map(({ left, right, top, bottom }) =>
      element('rect', {
        x: percent(left),
        width: percent(right - left),
        y: percent(top),
        height: percent(bottom - top),
        fill: 'var(--band)',
      }),
    ),
    ...medians.map(({ left, right, down }) => line([left, down], [right, down], { stroke: 'var(--median)' })),
    ...limits.map(({ down }) => line([0, down], [1, down], { 'data-limit': 1 })),
    ...limits.flatMap(({ down, beyond }) => (beyond === null ? [] : [arrow(down, beyond)])),
    ...moved.map(({ left, right, words: said }) =>
      element(
        'rect',
        { x: percent(left), width: percent(right - left), y: 0, height: 3, fill: 'var(--unusual)' },
        element('title', {}, words(said)),
      ),
    ),
    ...changes.map((right) => line([right, 0], [right, 1], { 'data-change': 1 })),
    element('svg', { ...box, overflow: 'visible' }, lines),
    ...outside.map((place) => marker(place, 'unusual', 0.62, true)),
    newest === null ? joined() : marker(newest, state ?? 'no-history', 1.05),
  )
}

/** At the left of a limit that is beyond: it points there. */
const arrow = (down: number, beyond: 'above' | 'below'): Markup =>
  element(
    'svg',
    { x: percent(0.02), y: percent(down), overflow: 'visible' },
    element('path', {
      d: beyond === 'above' ? 'M-2.5 5.5l3-3 3 3' : 'M-2.5-5.5l3 3 3-3',
      fill: 'none',
      'data-limit': 1,
    }),
  )

const path = (d: string, attributes: Readonly<Record<string, string | number>>): Markup =>
  d === '' ? joined() : element('path', { d, fill: 'none', 'vector-effect': 'non-scaling-stroke', ...attributes })

const line = (from: StripPlace, to: StripPlace, attributes: Readonly<Record<string, string | number>>): Markup =>
  element('line', {
    x1: percent(from[0]),
    x2: percent(to[0]),
    y1: percent(from[1]),
    y2: percent(to[1]),
    ...attributes,
  })

function marker([right, down]: StripPlace, state: Strip['state'], size: number, isPast = false): Markup {
  const style = stateStyle(state)
  const paint = markerPaint(style.color, isPast || style.isHollow)
  const shape = { d: markerPaths[style.marker], transform: `scale(${size})`, fill: paint.fill, stroke: paint.stroke }
  const drawn = element('path', { ...shape, 'stroke-width': isPast || style.isHollow ? 2 : 1.2 })
  return element('svg', { x: percent(right), y: percent(down), overflow: 'visible' }, drawn)
}
