import type { EcdfPlot, EcdfSeries } from './ecdf-plot'
import { Marker } from './marker'
import { strokeOf } from './repeats'
import { place } from './scale'
import { BaseLine, StaticBox, XTicks, percent } from './static-box'

/** The shares at or below each latency without JavaScript, in the box of the other charts. */
export function EcdfPlotSvg({ plot }: { plot: EcdfPlot }) {
  const x = (ms: number) => place(ms, plot.xDomain, plot.scale)
  return (
    <StaticBox
      title={plot.title}
      series={plot.series}
      yTicks={plot.yTicks.map(({ value, label }) => ({ at: 1 - value, label }))}
    >
      <XTicks ticks={plot.xTicks.map(({ ms, label }) => ({ at: x(ms), label }))} />
      {plot.series.map((one) => (
        <Curve key={one.id} series={one} x={x} />
      ))}
      <BaseLine />
    </StaticBox>
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
