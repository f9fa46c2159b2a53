import type { HistogramPlot, HistogramSeries } from './latency-histogram'
import styles from './plot.module.css'
import { strokeOf } from './repeats'
import { box, place } from './scale'

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`

/** The histogram without JavaScript: bars for one run, outlines for several. */
export function LatencyHistogramSvg({ plot }: { plot: HistogramPlot }) {
  const x = (ms: number) => place(ms, plot.xDomain, plot.scale)
  const y = (value: number) => 1 - place(value, plot.yDomain, 'linear')
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
              <line x1="0" x2="100%" y1={percent(y(value))} y2={percent(y(value))} className={styles.grid} />
              <text x="0" y={percent(y(value))} dx={-8} dy={4} textAnchor="end" className={styles.tick}>
                {label}
              </text>
            </g>
          ))}
          {plot.xTicks.map(({ ms, label }) => (
            <text key={ms} x={percent(x(ms))} y="100%" dy={18} textAnchor="middle" className={styles.tick}>
              {label}
            </text>
          ))}
          {plot.series.map((one) =>
            plot.overlaid ? (
              <Outline key={one.id} series={one} x={x} y={y} />
            ) : (
              <Bars key={one.id} series={one} x={x} y={y} />
            ),
          )}
          <line x1="0" x2="100%" y1="100%" y2="100%" className={styles.axis} />
        </svg>
      </div>
    </div>
  )
}

interface Scales {
  readonly series: HistogramSeries
  readonly x: (ms: number) => number
  readonly y: (value: number) => number
}

function Bars({ series, x, y }: Scales) {
  return series.bars
    .filter((bar) => bar.count > 0)
    .map((bar) => (
      <rect
        key={`${bar.fromMs} ${bar.toMs}`}
        x={percent(x(bar.fromMs))}
        width={percent(Math.max(x(bar.toMs) - x(bar.fromMs), 0.002))}
        y={percent(y(bar.height))}
        height={percent(1 - y(bar.height))}
        fill={series.style.color}
        fillOpacity={0.75}
        // A seam would eat a narrow bar.
        stroke={x(bar.toMs) - x(bar.fromMs) > 0.008 ? 'var(--surface)' : 'none'}
      />
    ))
}

function Outline({ series, x, y }: Scales) {
  const at = (ms: number, value: number) => `${(x(ms) * 1000).toFixed(1)} ${(y(value) * 1000).toFixed(1)}`
  const steps = series.bars
    .filter((bar) => bar.toMs > bar.fromMs)
    .map((bar) => `L${at(bar.fromMs, bar.height)}L${at(bar.toMs, bar.height)}`)
  const first = series.bars[0]?.fromMs ?? 0
  const last = series.bars.at(-1)?.toMs ?? 0
  return (
    <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" width="100%" height="100%" overflow="visible">
      <path
        d={`M${at(first, 0)}${steps.join('')}L${at(last, 0)}`}
        fill={series.style.color}
        fillOpacity={series.side ? 0.04 : 0.12}
        stroke={series.style.color}
        {...strokeOf(series)}
        strokeDasharray={series.style.dash}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
