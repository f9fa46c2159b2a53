import frame from './chart-frame.module.css'
import styles from './plot.module.css'
import type { UnderWayPlot } from './under-way'

const rowPx = 44
const axisPx = 28

/** The plot of Little's law: a bar for each run, and a mark where all connections are busy all the time. */
export function UnderWaySvg({ plot }: { plot: UnderWayPlot }) {
  const end = plot.ticks.at(-1) ?? 1
  const percent = (ratio: number) => `${((ratio / end) * 100).toFixed(2)}%`
  const height = plot.bars.length * rowPx
  return (
    <figure className={frame.frame}>
      <figcaption className={frame.title}>{plot.title}</figcaption>
      <div style={{ padding: '8px 20px 0 8px' }}>
        <svg
          width="100%"
          height={height + axisPx}
          overflow="visible"
          role="img"
          aria-label={`${plot.title}: ${plot.bars.map(({ name, label }) => `${name}, ${label}`).join('; ')}`}
        >
          {plot.ticks.map((tick) => (
            <g key={tick}>
              <line x1={percent(tick)} x2={percent(tick)} y1="0" y2={height} className={styles.grid} />
              <text x={percent(tick)} y={height + 18} textAnchor="middle" className={styles.tick}>
                {`${Math.round(tick * 100)} %`}
              </text>
            </g>
          ))}
          {plot.bars.map((bar, at) => (
            <g key={bar.id}>
              <text x="4" y={at * rowPx + 16} className={styles.tick}>
                {`${bar.name}: ${bar.label}`}
              </text>
              <rect
                x="0"
                y={at * rowPx + 22}
                width={percent(bar.ratio)}
                height="14"
                fill={bar.ratio > 1 ? 'var(--series-2)' : 'var(--series-1)'}
              />
              <line
                x1={percent(1)}
                x2={percent(1)}
                y1={at * rowPx + 19}
                y2={at * rowPx + 39}
                stroke="var(--text)"
                strokeWidth="2"
              />
            </g>
          ))}
        </svg>
      </div>
    </figure>
  )
}
