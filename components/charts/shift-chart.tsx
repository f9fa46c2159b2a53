'use client'

import { useMemo } from 'react'
import { marksMarkup } from './marker'
import { element, joined, pathThrough, percent, stretched, type Markup, type Place } from './markup'
import { unpackShift, type PackedShift } from './packed-shift'
import { Legend } from './panel-parts'
import plotStyles from './plot.module.css'
import { place } from './scale'
import type { ShiftPlot, ShiftSeries } from './shift-plot'
import { shiftTable } from './shift-table'
import { lineMarkup, quantileTicksMarkup, StaticBox } from './static-box'
import { TableFold, type TableAddress } from './table-fold'

/** The shift by percentile, drawn here from its numbers, on the server too, so that a page carries them once. */
export function ShiftChart({ sent, address }: { sent: PackedShift; address: TableAddress }) {
  const plot = useMemo(() => unpackShift(sent), [sent])
  const drawing = useMemo(() => <ShiftSvg plot={plot} />, [plot])
  return (
    <>
      {drawing}
      <Legend
        series={plot.series}
        markers
        footnote={plot.hasBand ? 'Band: range of the repeats, or the sampling error within one run.' : null}
      />
      <TableFold id="shift-table" title={plot.title} address={address} table={() => shiftTable(plot)} />
    </>
  )
}

function ShiftSvg({ plot }: { readonly plot: ShiftPlot }) {
  const x = (value: number) => place(value, plot.xDomain, 'log')
  const y = (ms: number) => 1 - place(ms, plot.yDomain, 'linear')
  const zero = percent(y(0))
  return (
    <StaticBox
      label={plot.title}
      yTicks={plot.yTicks.map(({ ms, label }) => ({ at: y(ms), label }))}
      drawing={joined(
        element('line', { x2: '100%', y1: zero, y2: zero, class: plotStyles.zero }),
        quantileTicksMarkup(plot.xTicks.map((tick) => ({ ...tick, at: x(tick.x) }))),
        ...plot.series.map((series) => shiftMarkup({ series, x, y })),
      )}
    />
  )
}

function shiftMarkup(props: {
  readonly series: ShiftSeries
  readonly x: (value: number) => number
  readonly y: (ms: number) => number
}): Markup {
  const { series, x, y } = props
  const { points, style } = series
  const at = points.map((point): Place => [x(point.x), y(point.ms)])
  const banded = points.filter((point) => point.lowMs !== null)
  const upper = banded.map((point): Place => [x(point.x), y(point.highMs ?? point.ms)])
  const lower = banded.map((point): Place => [x(point.x), y(point.lowMs ?? point.ms)]).reverse()
  const band = { d: `${pathThrough([...upper, ...lower])}z`, fill: style.color, opacity: 0.15 }
  const line = lineMarkup({ side: undefined, style }, pathThrough(at))
  return joined(
    stretched(banded.length > 1 ? joined(element('path', band), line) : line),
    marksMarkup({ shape: style.marker, color: style.color, hollow: false }, at),
  )
}
