import type { HdrPlot, HdrPoint, HdrSeries } from './hdr-plot'
import { Marker } from './marker'
import styles from './plot.module.css'
import { strokeOf } from './repeats'
import { place } from './scale'
import { BaseLine, StaticBox, percent } from './static-box'

/** The percentile plot without JavaScript: positions are percentages of its box, so text keeps its size at any width. */
export function HdrPlotSvg({ plot }: { plot: HdrPlot }) {
  const x = (point: { x: number }) => place(point.x, plot.xDomain, 'log')
  const y = (ms: number) => 1 - place(ms, plot.yDomain, plot.scale)
  return (
    <StaticBox
      title={plot.title}
      series={plot.series}
      yTicks={plot.yTicks.map(({ ms, label }) => ({ at: y(ms), label }))}
    >
      {plot.xTicks.map((tick) => (
        <g key={tick.x}>
          <line x1={percent(x(tick))} x2={percent(x(tick))} y1="0" y2="100%" className={styles.grid} />
          <text x={percent(x(tick))} y="100%" dy={18} textAnchor="middle" className={styles.tick}>
            {tick.label}
            <tspan className={styles.sign}>{' %'}</tspan>
          </text>
          {tick.rarity !== null && (
            <text x={percent(x(tick))} y="100%" dy={34} textAnchor="middle" className={styles.rarity}>
              {tick.rarity}
            </text>
          )}
        </g>
      ))}
      <BaseLine />
      {plot.series.map((one) => (
        <SeriesLine key={one.id} series={one} x={x} y={y} />
      ))}
      {plot.limit && (
        <g>
          <line
            x1="0"
            x2="100%"
            y1={percent(y(plot.limit.ms))}
            y2={percent(y(plot.limit.ms))}
            className={styles.limit}
          />
          <text x="0" y={percent(y(plot.limit.ms))} dx={6} dy={-5} className={styles.limitLabel}>
            {plot.limit.label}
          </text>
        </g>
      )}
    </StaticBox>
  )
}

interface Scales {
  readonly series: HdrSeries
  readonly x: (point: { x: number }) => number
  readonly y: (ms: number) => number
}

function SeriesLine({ series, x, y }: Scales) {
  const { points, style } = series
  const path = (part: readonly HdrPoint[]) =>
    part
      .map((point, at) => `${at === 0 ? 'M' : 'L'}${(x(point) * 1000).toFixed(1)} ${(y(point.ms) * 1000).toFixed(1)}`)
      .join('')
  const firstFaded = points.findIndex((point) => !point.supported)
  const solid = firstFaded < 0 ? points : points.slice(0, firstFaded)
  const faded = firstFaded < 0 ? [] : points.slice(Math.max(0, firstFaded - 1))
  const line = {
    fill: 'none',
    stroke: style.color,
    ...strokeOf(series),
    strokeDasharray: style.dash,
    vectorEffect: 'non-scaling-stroke',
  } as const
  return (
    <g>
      <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" width="100%" height="100%" overflow="visible">
        <path d={path(solid)} {...line} />
        <path d={path(faded)} {...line} opacity={0.4} />
      </svg>
      {points
        .filter((point) => point.marked && !series.side)
        .map((point) => (
          <svg key={point.x} x={percent(x(point))} y={percent(y(point.ms))} overflow="visible">
            <Marker shape={style.marker} color={style.color} hollow={!point.supported} />
          </svg>
        ))}
    </g>
  )
}
