import type { ReactNode } from 'react'
import type { HeatPanel } from './timeline-heat'
import type { PlacedTick, TimelineLine, TimelinePanel, TimelinePlot } from './timeline-plot'
import plotStyles from './plot.module.css'
import styles from './timeline.module.css'

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`
const coordinate = (share: number): string => (share * 1_000).toFixed(1)

/** The three panels without JavaScript, one above the other, on one time axis. */
export function TimelineSvg({ plot }: { plot: TimelinePlot }) {
  const { xTicks, rate, latency, heat } = plot
  return (
    <>
      <Panel title={rate.title} lines={rate.lines} yTicks={rate.yTicks} xTicks={xTicks} className={styles.low}>
        {rate.lines.map((line) => (
          <Steps key={line.name} line={line} />
        ))}
      </Panel>
      <Panel title={latency.title} lines={latency.lines} yTicks={latency.yTicks} xTicks={xTicks}>
        {latency.lines.map((line) => (
          <Gapped key={line.name} line={line} />
        ))}
      </Panel>
      {heat && (
        <Panel title={heat.title} lines={[]} yTicks={heat.yTicks} xTicks={xTicks}>
          <Cells heat={heat} />
        </Panel>
      )}
    </>
  )
}

interface PanelProps extends Pick<TimelinePanel, 'title' | 'lines' | 'yTicks'> {
  readonly xTicks: readonly PlacedTick[]
  readonly className?: string | undefined
  /** Whose panel it is, where several have one title. */
  readonly of?: string
  /** 0…1 along the axis: where the cursor of all panels stands; null: nowhere. */
  readonly cursorAt?: number | null
  readonly children: ReactNode
}

/** A panel of a timeline: its title, ticks and what is drawn in it, in a box of 1,000 by 1,000. */
export function Panel({ title, lines, yTicks, xTicks, className, of, cursorAt = null, children }: PanelProps) {
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
          {yTicks.map(({ at, label }) => (
            <g key={at}>
              <line x1="0" x2="100%" y1={percent(1 - at)} y2={percent(1 - at)} className={plotStyles.grid} />
              <text x="0" y={percent(1 - at)} dx={-8} dy={4} textAnchor="end" className={plotStyles.tick}>
                {label}
              </text>
            </g>
          ))}
          {xTicks.map(({ at, label }) => (
            <text key={at} x={percent(at)} y="100%" dy={18} textAnchor="middle" className={plotStyles.tick}>
              {label}
            </text>
          ))}
          <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" width="100%" height="100%" overflow="visible">
            {children}
          </svg>
          <line x1="0" x2="100%" y1="100%" y2="100%" className={plotStyles.axis} />
          {cursorAt !== null && (
            <line x1={percent(cursorAt)} x2={percent(cursorAt)} y1="0" y2="100%" className={plotStyles.axis} />
          )}
        </svg>
      </div>
    </div>
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
function Steps({ line }: { line: TimelineLine }) {
  const { length } = line.shares
  const steps = line.shares.map((share, bin) => `V${coordinate(1 - (share ?? 0))}H${coordinate((bin + 1) / length)}`)
  return (
    <path
      d={`M0 1000${steps.join('')}V1000`}
      fill={line.style.color}
      fillOpacity={0.18}
      stroke={line.style.color}
      strokeWidth={1.5}
      vectorEffect="non-scaling-stroke"
    />
  )
}

/** A line through the middles of the bins that have a value; a lone one is a dot. */
export function Gapped({ line }: { line: TimelineLine }) {
  const { length } = line.shares
  const parts = line.shares.map((share, bin) => {
    if (share === null) return ''
    const point = `${coordinate((bin + 0.5) / length)} ${coordinate(1 - share)}`
    const isFirst = bin === 0 || line.shares[bin - 1] === null
    const isLone = isFirst && (line.shares[bin + 1] ?? null) === null
    return isFirst ? `M${point}${isLone ? `L${point}` : ''}` : `L${point}`
  })
  const isDotted = line.shares.filter((share) => share !== null).length === 1
  return (
    <path
      d={parts.join('')}
      fill="none"
      stroke={line.style.color}
      strokeWidth={isDotted ? 6 : 1.75}
      strokeDasharray={isDotted ? '' : line.style.dash}
      strokeLinecap="round"
      strokeLinejoin="round"
      vectorEffect="non-scaling-stroke"
    />
  )
}

const shades = 24

/** One path for all cells of a shade, so that a full map weighs little. */
function Cells({ heat }: { heat: HeatPanel }) {
  const paths = new Map<number, string>()
  for (const { x, y, width, height, strength } of heat.cells) {
    const shade = Math.max(1, Math.round(strength * shades))
    const outline = `M${coordinate(x)} ${coordinate(y)}h${coordinate(width)}v${coordinate(height)}h-${coordinate(width)}z`
    paths.set(shade, (paths.get(shade) ?? '') + outline)
  }
  return [...paths].map(([shade, outlines]) => (
    <path
      key={shade}
      d={outlines}
      fill="var(--series-1)"
      fillOpacity={Number((0.08 + (0.92 * shade) / shades).toFixed(3))}
    />
  ))
}
