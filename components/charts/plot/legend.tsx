import { LineSample } from './drawing'
import { bandOpacityOf, legendEntries, type Panel, type Plot } from './model'
import styles from './plot.module.css'
import type { SeriesStyle } from './scale'
import { markerPaint, markerPaths } from './svg'

interface LegendProps {
  readonly plot: Pick<Plot, 'series' | 'legend' | 'footnote' | 'panels'>
  /** Ids of series that are not drawn. */
  readonly hidden?: ReadonlySet<string>
  /** Called when an entry is chosen, with Shift or without. Absent: nothing can be chosen. */
  readonly onChoice?: (own: readonly string[], isAlone: boolean) => void
}

/**
 * Names with their lines, and why a line ends. A single series without a note needs no legend. A click shows one series
 * alone; with Shift it hides or shows it.
 */
export function Legend({ plot, hidden, onChoice }: LegendProps) {
  const { series: all, legend, footnote, panels } = plot
  if (legend === undefined || (all.length < 2 && all.every((one) => !one.note))) return null
  const entries = legendEntries(all)
  return (
    <ul className={`flex wrap muted text-12 above-4 ${styles.legend}`}>
      {entries.map(({ id, ids, name, note, style }) => {
        const line = (
          <Sample
            style={style}
            isMarked={legend === 'markers'}
            bandOpacity={bandOpacityOf({ series: all, panels }, id)}
          />
        )
        if (entries.length < 2 || onChoice === undefined)
          return (
            <li key={id}>
              {line}
              {all.length > 1 ? name : note}
            </li>
          )
        return (
          <li key={id}>
            <button
              type="button"
              className={`inline-row gap-6 text ${styles.entry}`}
              aria-pressed={!ids.every((one) => hidden?.has(one))}
              title="Click: this one alone; Shift-click: hide or show it"
              onClick={(event) => onChoice(ids, event.shiftKey)}
            >
              {line}
              {name}
            </button>
          </li>
        )
      })}
      {all.length > 1 && footnote && <li>{footnote}</li>}
    </ul>
  )
}

interface SampleProps {
  readonly style: SeriesStyle
  readonly isMarked: boolean
  readonly bandOpacity: number | null
}

function Sample({ style, isMarked, bandOpacity }: SampleProps) {
  if (bandOpacity === null)
    return <LineSample series={style}>{isMarked && <Marker style={style} x={14} y={6} />}</LineSample>
  return (
    <svg width={16} height="12" aria-hidden="true" className="rigid">
      <rect y="1" width="16" height="10" fill={style.color} fillOpacity={bandOpacity} />
    </svg>
  )
}

/** The line and the marker of a side, as in every chart. */
export function SideKey({ style }: { style: SeriesStyle }) {
  return (
    <LineSample series={style} width={26}>
      <Marker style={style} x={13} y={6} />
    </LineSample>
  )
}

/** A series as in legends beside a table: a piece of its line with its marker, or the marker alone. */
export function SeriesSample({ style, isMarker = false }: { style: SeriesStyle; isMarker?: boolean }) {
  if (!isMarker)
    return (
      <LineSample series={style}>
        <Marker style={style} x={14} y={6} />
      </LineSample>
    )
  return (
    <svg width="10" height="10" aria-hidden="true">
      <Marker style={style} x={5} y={5} />
    </svg>
  )
}

/** The marker of a side alone. */
export function SideMarker({ style: { color, marker } }: { style: SeriesStyle }) {
  return (
    <svg className="rigid" width={12} height={12} aria-hidden="true">
      <path d={markerPaths[marker]} transform="translate(6 6)" fill={color} />
    </svg>
  )
}

/** A measured point. */
export function Marker({
  style,
  x,
  y,
  isHollow = false,
}: {
  style: SeriesStyle
  x: number
  y: number
  isHollow?: boolean
}) {
  const { fill, stroke, width } = markerPaint(style.color, isHollow)
  return (
    <path
      transform={`translate(${x} ${y})`}
      d={markerPaths[style.marker]}
      fill={fill}
      stroke={stroke}
      strokeWidth={width}
    />
  )
}

/** The title of a panel, and the names of its lines if there are several. */
export function PanelHead({ plot, panel }: { plot: Plot; panel: Panel }) {
  if (panel.title === undefined) return null
  const drawn = panel.marks.filter((mark) => mark.kind === 'line' || (mark.kind === 'bars' && mark.look !== 'none'))
  const names =
    panel.cell === undefined && drawn.length > 1 ? drawn.flatMap(({ series }) => plot.series[series] ?? []) : []
  return (
    <div className={`flex wrap between ${styles.panelHead}`}>
      <h3 className="muted text-12 medium">{panel.title}</h3>
      {names.length > 0 && (
        <ul className={`flex wrap muted text-12 ${styles.names}`}>
          {names.map(({ id, name, style }) => (
            <li key={id}>
              <LineSample series={style} width={20} />
              {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
