import type { HeatPanel } from './timeline-heat'
import { Drawn } from './drawn'
import { element, joined, pathThrough, percent, stretched, type Markup, type Place } from './markup'
import { baseLineMarkup, xTicksMarkup, yTicksMarkup } from './static-box'
import type { TimelineLine, TimelinePanel, TimelinePlot } from './timeline-plot'
import type { PlacedTick } from './scale'
import plotStyles from './plot.module.css'
import styles from './timeline.module.css'

/** The three panels without JavaScript, one above the other, on one time axis. */
export function TimelineSvg({ plot }: { plot: TimelinePlot }) {
  const { xTicks, rate, latency, heat } = plot
  return (
    <>
      <Panel title={rate.title} lines={rate.lines} className={styles.low}>
        {panelMarkup(rate.yTicks, xTicks, rate.lines.map(stepsMarkup))}
      </Panel>
      <Panel title={latency.title} lines={latency.lines}>
        {panelMarkup(latency.yTicks, xTicks, latency.lines.map(gappedMarkup))}
      </Panel>
      {heat && <Panel title={heat.title}>{panelMarkup(heat.yTicks, xTicks, [cellsMarkup(heat)])}</Panel>}
    </>
  )
}

interface PanelProps {
  readonly title: string
  /** Named beside the title where there are several. */
  readonly lines?: TimelinePanel['lines']
  readonly className?: string | undefined
  /** Whose panel it is, where several have one title. */
  readonly of?: string
  /** 0…1 along the axis: where the cursor of all panels stands; null: nowhere. */
  readonly cursorAt?: number | null
  /** Made by `panelMarkup`. */
  readonly children: Markup
}

/** A panel of a timeline: its title and its drawing. */
export function Panel({ title, lines = [], className, of, cursorAt = null, children }: PanelProps) {
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        <h3 className={styles.title}>{title}</h3>
        {lines.length > 1 && <Names lines={lines} />}
      </div>
      <div className={`${styles.plot} ${className ?? ''}`} data-plot-area>
        <svg
          className={plotStyles.inner}
          width="100%"
          height="100%"
          role="img"
          aria-label={`${of === undefined ? '' : `${of}: `}${title}, over time`}
        >
          <Drawn as="g" markup={children} />
          {cursorAt !== null && (
            <line x1={percent(cursorAt)} x2={percent(cursorAt)} y1="0" y2="100%" className={plotStyles.axis} />
          )}
        </svg>
      </div>
    </div>
  )
}

/** Ticks and what is drawn between them in the stretched box. */
export function panelMarkup(
  yTicks: readonly PlacedTick[],
  xTicks: readonly PlacedTick[],
  drawn: readonly Markup[],
): Markup {
  return joined(
    yTicksMarkup(yTicks.map(({ at, label }) => ({ at: 1 - at, label }))),
    xTicksMarkup(xTicks),
    stretched(joined(...drawn)),
    baseLineMarkup(),
  )
}

function Names({ lines }: { lines: readonly TimelineLine[] }) {
  return (
    <ul className={styles.names}>
      {lines.map(({ name, style }) => (
        <li key={name}>
          <svg width="20" height="8" aria-hidden="true">
            <line x1="0" x2="20" y1="4" y2="4" stroke={style.color} strokeWidth="2" strokeDasharray={style.dash} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}

/** As wide as the bins are: a count holds for its whole bin. */
function stepsMarkup({ shares, style }: TimelineLine): Markup {
  const { length } = shares
  const corners = shares.flatMap((share, bin): readonly Place[] => {
    const down = 1 - (share ?? 0)
    return [
      [bin / length, down],
      [(bin + 1) / length, down],
    ]
  })
  return element('path', {
    d: pathThrough([[0, 1], ...corners, [1, 1]]),
    fill: style.color,
    'fill-opacity': 0.18,
    stroke: style.color,
    'stroke-width': 1.5,
    'vector-effect': 'non-scaling-stroke',
  })
}

/** A line through the middles of the bins that have a value; a lone one is a dot. */
export function gappedMarkup({ shares, style }: TimelineLine): Markup {
  const parts: Place[][] = []
  shares.forEach((share, bin) => {
    if (share === null) return
    const place: Place = [(bin + 0.5) / shares.length, 1 - share]
    const before = bin === 0 ? null : (shares[bin - 1] ?? null)
    const open = parts.at(-1)
    if (before === null || open === undefined) parts.push([place])
    else open.push(place)
  })
  const isDotted = parts.flat().length === 1
  // A line of no length is a dot, since its ends are round.
  const lines = parts.map((part) => pathThrough(part.length === 1 ? [...part, ...part] : part))
  return element('path', {
    d: lines.join(''),
    fill: 'none',
    stroke: style.color,
    'stroke-width': isDotted ? 6 : 1.75,
    'stroke-dasharray': isDotted ? '' : style.dash,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    'vector-effect': 'non-scaling-stroke',
  })
}

const shades = 24

/** One path for all cells of a shade, so that a full map weighs little: lines across, as thick as a band is high. */
function cellsMarkup({ cells }: HeatPanel): Markup {
  const paths = new Map<number, string>()
  for (const { x, y, width, height, strength } of cells) {
    const shade = Math.max(1, Math.round(strength * shades))
    const middle = y + height / 2
    const across = pathThrough([
      [x, middle],
      [x + width, middle],
    ])
    paths.set(shade, (paths.get(shade) ?? '') + across)
  }
  const thick = Math.round((cells[0]?.height ?? 0) * 10_000)
  const lines = [...paths].map(([shade, d]) =>
    element('path', { d, 'stroke-opacity': Number((0.08 + (0.92 * shade) / shades).toFixed(3)) }),
  )
  return element('g', { stroke: 'var(--series-1)', 'stroke-width': thick }, joined(...lines))
}
