import type { EcdfPlot, EcdfSeries } from './ecdf-plot'
import { Marker } from './marker'
import styles from './plot.module.css'
import { strokeOf } from './repeats'
import { box, place } from './scale'

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`

/** The shares at or below each latency without JavaScript, in the box of the other charts. */
export function EcdfPlotSvg({ plot }: { plot: EcdfPlot }) {
  const x = (ms: number) => place(ms, plot.xDomain, plot.scale)
  return (
    <div className={styles.plot}>
      <div style={{ position: 'absolute', inset: `${box.top}px ${box.right}px ${box.bottom}px ${box.left}px` }}>
        <svg
          className={styles.inner}
          width="100%"
          height="100%"
          role="img"
          aria-label={`${plot.title}: ${plot.series.map((one) => one.name).join(', ')}`}
        >
          {plot.yTicks.map(({ value, label }) => (
            <g key={value}>
              <line x1="0" x2="100%" y1={percent(1 - value)} y2={percent(1 - value)} className={styles.grid} />
              <text x="0" y={percent(1 - value)} dx={-8} dy={4} textAnchor="end" className={styles.tick}>
                {label}
              </text>
            </g>
          ))}
          {plot.xTicks.map(({ ms, label }) => (
            <text key={ms} x={percent(x(ms))} y="100%" dy={18} textAnchor="middle" className={styles.tick}>
              {label}
            </text>
          ))}
          {plot.series.map((one) => (
            <Curve key={one.id} series={one} x={x} />
          ))}
          <line x1="0" x2="100%" y1="100%" y2="100%" className={styles.axis} />
        </svg>
      </div>
    </div>
  )
}

function Curve({ series, x }: { readonly series: EcdfSeries; readonly x: (ms: number) => number }) {
  const { points, style, steps, marked } = series
  const path = points
    .map(({ ms, share }, at) => {
      const [right, down] = [(x(ms) * 1000).toFixed(1), ((1 - share) * 1000).toFixed(1)]
      return at === 0 ? `M${right} ${down}` : steps ? `H${right}V${down}` : `L${right} ${down}`
    })
    .join('')
  return (
    <g>
      <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" width="100%" height="100%" overflow="visible">
        <path
          d={path}
          fill="none"
          stroke={style.color}
          {...strokeOf(series)}
          strokeDasharray={style.dash}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      {marked &&
        points.map(({ ms, share }) => (
          <svg key={`${ms} ${share}`} x={percent(x(ms))} y={percent(1 - share)} overflow="visible">
            <Marker shape={style.marker} color={style.color} hollow={false} />
          </svg>
        ))}
    </g>
  )
}
