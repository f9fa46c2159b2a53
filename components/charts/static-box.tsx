import { Drawn } from './drawn'
import { element, joined, percent, words, type Markup } from './markup'
import styles from './plot.module.css'
import { strokeOf, type StyledSeries } from './repeats'
import { box } from './scale'

/** `at`: share of the axis, a height from the top. */
interface Tick {
  readonly at: number
  readonly label: string
}

interface Props {
  /** Said of the whole drawing. */
  readonly label: string
  readonly yTicks: readonly Tick[]
  /** What is drawn over the lines of the ticks, as markup: positions are percentages, so text keeps its size at any width. */
  readonly drawing: Markup
}

/** The box of a drawing without JavaScript, with its name and the grid that every one has. */
export function StaticBox({ label, yTicks, drawing }: Props) {
  return (
    <div className={styles.plot}>
      <div style={{ position: 'absolute', inset: `${box.top}px ${box.right}px ${box.bottom}px ${box.left}px` }}>
        <svg className={styles.inner} width="100%" height="100%" role="img" aria-label={label}>
          <Drawn as="g" markup={joined(yTicksMarkup(yTicks), drawing)} />
        </svg>
      </div>
    </div>
  )
}

/** Name of a drawing of several series. */
export const labelOf = (title: string, series: readonly { readonly name: string }[]): string =>
  `${title}: ${series.map((one) => one.name).join(', ')}`

/** Lines across and their labels on the left. */
export function yTicksMarkup(ticks: readonly Tick[]): Markup {
  const lines = ticks.map(({ at }) => {
    const y = percent(at)
    return element('line', { x2: '100%', y1: y, y2: y })
  })
  const texts = ticks.map(({ at, label }) => textMarkup({ y: percent(at), dx: -8, dy: 4 }, label))
  return joined(
    element('g', { class: styles.grid }, joined(...lines)),
    element('g', { class: styles.tick, 'text-anchor': 'end' }, joined(...texts)),
  )
}

/** Texts below the axis. */
export function xTicksMarkup(ticks: readonly Tick[]): Markup {
  const texts = ticks.map(({ at, label }) => textMarkup({ x: percent(at), y: '100%', dy: 18 }, label))
  return element('g', { class: styles.tick, 'text-anchor': 'middle' }, joined(...texts))
}

/** Percentiles below the axis with a line up from each and, below it, how rare it is. */
export function quantileTicksMarkup(
  ticks: readonly { readonly at: number; readonly label: string; readonly rarity: string | null }[],
): Markup {
  const sign = element('tspan', { class: styles.sign }, words(' %'))
  const lines = ticks.map(({ at }) => element('line', { x1: percent(at), x2: percent(at), y2: '100%' }))
  const labels = ticks.map(({ at, label }) => {
    return element('text', { x: percent(at), y: '100%', dy: 18 }, joined(words(label), sign))
  })
  const rare = ticks.flatMap(({ at, rarity }) =>
    rarity === null ? [] : textMarkup({ x: percent(at), y: '100%', dy: 34 }, rarity),
  )
  return joined(
    element('g', { class: styles.grid }, joined(...lines)),
    element('g', { class: styles.tick, 'text-anchor': 'middle' }, joined(...labels)),
    element('g', { class: styles.rarity, 'text-anchor': 'middle' }, joined(...rare)),
  )
}

/** The line that a plot stands on. */
export const baseLineMarkup = (): Markup => element('line', { x2: '100%', y1: '100%', y2: '100%', class: styles.axis })

/** A series' line along a path in the stretched box; `fillOpacity` 0: nothing under it. */
export function lineMarkup(series: StyledSeries, path: string, fillOpacity = 0): Markup {
  const { strokeWidth, strokeOpacity } = strokeOf(series)
  const { color, dash } = series.style
  return element('path', {
    d: path,
    fill: fillOpacity === 0 ? 'none' : color,
    'fill-opacity': fillOpacity === 0 ? undefined : fillOpacity,
    stroke: color,
    'stroke-width': strokeWidth,
    'stroke-opacity': strokeOpacity === 1 ? undefined : strokeOpacity,
    'stroke-dasharray': dash,
    'vector-effect': 'non-scaling-stroke',
  })
}

function textMarkup(attributes: Readonly<Record<string, string | number>>, text: string): Markup {
  return element('text', attributes, words(text))
}
