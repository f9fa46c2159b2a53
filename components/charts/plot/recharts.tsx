'use client'

import {
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  XAxis,
  YAxis,
} from 'recharts'
import { Marker } from './legend'
import {
  barEnds,
  frames,
  labelOf,
  type BarsMark,
  type DotsMark,
  type LineMark,
  type Mark,
  type Panel,
  type Plot,
  type Rule,
} from './model'
import styles from './plot.module.css'
import { place } from './scale'
import { endOfLines, hasSeam, shadowOpacity, strokeOf } from './svg'

type Row = Record<string, number>

/** Every x of every mark once; `s0` is the first mark's solid part, `f0` its fading part. */
function rowsOf(plot: Plot, panel: Panel): readonly Row[] {
  const rows = new Map<number, Row>()
  const put = (x: number, key: string, value: number) => rows.set(x, { ...(rows.get(x) ?? { x }), [key]: value })
  const outlines: Row[] = []
  // What is below a logarithmic axis is drawn on it, as in the static drawing.
  const left = plot.x.domain[0]
  const floor = panel.y.scale === 'log' ? panel.y.domain[0] : -Infinity
  panel.marks.forEach((mark, index) => {
    if (mark.kind === 'line') {
      const faded = mark.fadedFrom ?? mark.y.length
      mark.y.forEach((value, at) => {
        const x = placeIn(plot, mark.at[at])
        if (value === null) return
        if (at < faded) put(x, `s${index}`, Math.max(value, floor))
        if (at >= faded - 1 && faded < mark.y.length) put(x, `f${index}`, Math.max(value, floor))
      })
    }
    if (mark.kind === 'bars') {
      const ends = barEnds(mark)
      const wide = mark.from
        .map((from, at) => ({ from, to: ends[at] ?? from, y: mark.y[at] ?? 0 }))
        .filter(({ from, to }) => to > from)
      const key = `s${index}`
      outlines.push({ x: Math.max(left, wide[0]?.from ?? left), [key]: 0 })
      for (const { from, to, y } of wide) outlines.push({ x: Math.max(left, from), [key]: y }, { x: to, [key]: y })
      outlines.push({ x: Math.max(left, wide.at(-1)?.to ?? left), [key]: 0 })
    }
  })
  return [...rows.values(), ...outlines].sort((a, b) => (a['x'] ?? 0) - (b['x'] ?? 0))
}

/** A place of a line, on the axis even when its value is beyond. */
const placeIn = ({ x: { domain }, places }: Plot, at: number | undefined): number =>
  Math.min(Math.max(places[at ?? -1] ?? domain[0], domain[0]), domain[1])

/** The first panel of a plot, drawn by Recharts in the box of the static drawing: it renders what was prepared. */
export function RechartsDrawing({ plot }: { plot: Plot }) {
  const [panel] = plot.panels
  if (!panel) return null
  const { top, right, bottom, left, height } = frames.large
  const tick = { fill: 'var(--muted)', fontSize: 11.5 }
  // Bars are cut at the axes; lines are within them, and would lose half of a marker there.
  const allowDataOverflow = panel.isCut === true || panel.marks.some(({ kind }) => kind === 'bars')
  const common = { type: 'number', tickLine: false, interval: 0, allowDataOverflow } as const
  return (
    <div role="img" aria-label={labelOf(plot)}>
      <ResponsiveContainer width="100%" height={top + height + bottom}>
        <ComposedChart
          data={[...rowsOf(plot, panel)]}
          margin={{ top, right, bottom: 0, left: 0 }}
          accessibilityLayer={false}
        >
          <CartesianGrid stroke="var(--grid)" vertical={plot.x.ticks.some(({ sign }) => sign !== undefined)} />
          <XAxis
            {...common}
            dataKey="x"
            scale={plot.x.scale}
            domain={[...plot.x.domain]}
            ticks={plot.x.ticks.map(({ at }) => at)}
            height={bottom}
            tick={({ x, y, payload }) => (
              <XTick plot={plot} x={Number(x)} y={Number(y)} value={Number(payload.value)} />
            )}
            stroke="var(--line-strong)"
          />
          <YAxis
            {...common}
            scale={panel.y.scale}
            domain={[...panel.y.domain]}
            ticks={panel.y.ticks.map(({ at }) => at)}
            tickFormatter={(value: number) => panel.y.ticks.find(({ at }) => at === value)?.label ?? ''}
            width={left}
            tick={tick}
            axisLine={false}
          />
          {(panel.rules ?? []).map((rule) => ruleOf(rule, plot.x.domain[0], endOfLines(plot, panel)))}
          {panel.marks.flatMap((mark, index) => shapesOf(plot, panel, mark, index))}
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  )
}

const ruleOf = ({ label, at, anchor }: Rule, from: number, to: number | null) => (
  <ReferenceLine
    key={`${label} ${at}`}
    {...(to === null
      ? { y: at }
      : {
          segment: [
            { x: from, y: at },
            { x: to, y: at },
          ],
        })}
    stroke="var(--worse)"
    strokeDasharray="5 4"
    label={{
      value: label,
      position: anchor === 'end' ? 'insideBottomRight' : 'insideBottomLeft',
      className: styles['limitLabel'] ?? '',
    }}
  />
)

/** Lines and bars: what else a panel has is drawn by its line, or over Recharts. */
function shapesOf(plot: Plot, panel: Panel, mark: Mark, index: number) {
  if (mark.kind === 'line') return linesOf(plot, panel, mark, index)
  if (mark.kind !== 'bars') return []
  return mark.look === 'bars' ? barsOf(plot, mark) : outlineOf(plot, mark, index)
}

/** A tick and, below it, its second line, as in the static drawing. */
function XTick({ plot, x, y, value }: { plot: Plot; x: number; y: number; value: number }) {
  const tick = plot.x.ticks.find(({ at }) => at === value)
  if (!tick) return null
  return (
    <g transform={`translate(${x} ${y})`} textAnchor="middle">
      <text dy={10} className={`${styles['tick']} ${tick.isSpare ? styles['spare'] : ''}`}>
        {tick.label}
        <tspan className={styles['spare']}>{tick.sign}</tspan>
      </text>
      <text dy={26} className={styles['rarity']}>
        {tick.below}
      </text>
    </g>
  )
}

function strokeProps(plot: Plot, { series, width, isShadow = false }: Pick<LineMark, 'series' | 'width' | 'isShadow'>) {
  const own = plot.series[series]
  const stroke = strokeOf(width, own?.side !== undefined)
  return {
    stroke: own?.style.color ?? '',
    strokeWidth: stroke.width,
    strokeOpacity: isShadow ? shadowOpacity : stroke.opacity,
    strokeDasharray: own?.style.dash ?? '',
    connectNulls: true,
    isAnimationActive: false,
    activeDot: false,
  } as const
}

function linesOf(plot: Plot, panel: Panel, mark: LineMark, index: number) {
  const dots = panel.marks.filter((one): one is DotsMark => one.kind === 'dots' && one.of === index)
  const type = mark.isStepped ? 'stepAfter' : 'linear'
  const props = { type, ...strokeProps(plot, mark), dot: dots.length === 0 ? false : dotOf(plot, mark, dots) } as const
  const solid = <Line key={`s${index}`} dataKey={`s${index}`} {...props} />
  if (mark.fadedFrom === undefined) return [solid]
  return [<Line key={`f${index}`} dataKey={`f${index}`} {...props} strokeOpacity={0.4} />, solid]
}

/** Marks the values that have a marker, and only those. */
function dotOf(plot: Plot, mark: LineMark, dots: readonly DotsMark[]) {
  const hollow = new Map<number, boolean>()
  for (const { which, isHollow } of dots) for (const at of which) hollow.set(placeIn(plot, mark.at[at]), isHollow)
  const style = plot.series[mark.series]?.style
  return function Dot({ cx, cy, payload }: { cx?: number; cy?: number; payload?: Row }) {
    const isHollow = hollow.get(payload?.['x'] ?? Number.NaN)
    const isShown = style && isHollow !== undefined && cx !== undefined && cy !== undefined && Number.isFinite(cy)
    return <g key={`${payload?.['x']}`}>{isShown && <Marker style={style} x={cx} y={cy} isHollow={isHollow} />}</g>
  }
}

function barsOf(plot: Plot, mark: BarsMark) {
  const color = plot.series[mark.series]?.style.color ?? ''
  const ends = barEnds(mark)
  return mark.from.flatMap((from, at) => {
    const [to, value] = [ends[at] ?? from, mark.y[at] ?? 0]
    const share = place(to, plot.x.domain, plot.x.scale) - place(from, plot.x.domain, plot.x.scale)
    if (value === 0) return []
    return [
      <ReferenceArea
        key={`${from} ${to}`}
        x1={Math.max(from, plot.x.domain[0])}
        x2={to}
        y1={0}
        y2={value}
        fill={color}
        fillOpacity={mark.opacity}
        stroke={hasSeam(share) ? 'var(--bg)' : color}
        strokeOpacity={hasSeam(share) ? 1 : mark.opacity}
      />,
    ]
  })
}

/** A line is never filled, but its style is: an outline begins and ends on the axis. */
function outlineOf(plot: Plot, mark: BarsMark, index: number) {
  const props = strokeProps(plot, mark)
  const style = { fill: props.stroke, fillOpacity: mark.opacity }
  return [<Line key={`s${index}`} dataKey={`s${index}`} {...props} dot={false} style={style} />]
}
