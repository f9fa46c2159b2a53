import styles from './chart-frame.module.css'
import { ChartTable } from './chart-table'
import type { PlottedRun } from './hdr-plot'
import { Marker } from './marker'
import { Legend } from './panel-parts'
import plotStyles from './plot.module.css'
import { box, place } from './scale'
import { prepareShiftPlot, type ShiftPlot, type ShiftSeries } from './shift-plot'

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`

/** How much slower each side is than the base at each percentile; nothing where they share fewer than two percentiles. */
export function ShiftPanel(props: {
  readonly sides: readonly (readonly Pick<PlottedRun, 'id' | 'imported'>[])[]
  readonly names: readonly string[]
}) {
  const plot = prepareShiftPlot(props.sides, props.names)
  if (!plot) return null
  return (
    <figure className={styles.frame}>
      <div className={styles.head}>
        <figcaption className={styles.title}>{plot.title}</figcaption>
      </div>
      <ShiftSvg plot={plot} />
      <Legend
        series={plot.series}
        markers
        footnote={plot.hasBand ? 'Band: how far repeats reach, or the sampling error within one run.' : null}
      />
      <ChartTable title={plot.title} table={plot.table} />
    </figure>
  )
}

function ShiftSvg({ plot }: { readonly plot: ShiftPlot }) {
  const x = (value: number) => place(value, plot.xDomain, 'log')
  const y = (ms: number) => 1 - place(ms, plot.yDomain, 'linear')
  return (
    <div className={plotStyles.plot}>
      <div style={{ position: 'absolute', inset: `${box.top}px ${box.right}px ${box.bottom}px ${box.left}px` }}>
        <svg className={plotStyles.inner} width="100%" height="100%" role="img" aria-label={plot.title}>
          {plot.yTicks.map(({ ms, label }) => (
            <g key={ms}>
              <line
                x1="0"
                x2="100%"
                y1={percent(y(ms))}
                y2={percent(y(ms))}
                className={ms === 0 ? plotStyles.zero : plotStyles.grid}
              />
              <text x="0" y={percent(y(ms))} dx={-8} dy={4} textAnchor="end" className={plotStyles.tick}>
                {label}
              </text>
            </g>
          ))}
          {plot.xTicks.map((tick) => (
            <g key={tick.x}>
              <line x1={percent(x(tick.x))} x2={percent(x(tick.x))} y1="0" y2="100%" className={plotStyles.grid} />
              <text x={percent(x(tick.x))} y="100%" dy={18} textAnchor="middle" className={plotStyles.tick}>
                {tick.label}
                <tspan className={plotStyles.sign}>{' %'}</tspan>
              </text>
              {tick.rarity !== null && (
                <text x={percent(x(tick.x))} y="100%" dy={34} textAnchor="middle" className={plotStyles.rarity}>
                  {tick.rarity}
                </text>
              )}
            </g>
          ))}
          {plot.series.map((one) => (
            <ShiftLine key={one.id} series={one} x={x} y={y} />
          ))}
        </svg>
      </div>
    </div>
  )
}

function ShiftLine(props: {
  readonly series: ShiftSeries
  readonly x: (value: number) => number
  readonly y: (ms: number) => number
}) {
  const { series, x, y } = props
  const { points, style } = series
  const at = (value: number, ms: number) => `${(x(value) * 1000).toFixed(1)} ${(y(ms) * 1000).toFixed(1)}`
  const banded = points.filter((point) => point.lowMs !== null)
  const upper = banded.map((point) => at(point.x, point.highMs ?? point.ms))
  const lower = banded.map((point) => at(point.x, point.lowMs ?? point.ms)).reverse()
  return (
    <g>
      <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" width="100%" height="100%" overflow="visible">
        {banded.length > 1 && <path d={`M${[...upper, ...lower].join('L')}Z`} fill={style.color} opacity={0.15} />}
        <path
          d={`M${points.map((point) => at(point.x, point.ms)).join('L')}`}
          fill="none"
          stroke={style.color}
          strokeWidth={2}
          strokeDasharray={style.dash}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      {points.map((point) => (
        <svg key={point.q} x={percent(x(point.x))} y={percent(y(point.ms))} overflow="visible">
          <Marker shape={style.marker} color={style.color} hollow={false} />
        </svg>
      ))}
    </g>
  )
}
