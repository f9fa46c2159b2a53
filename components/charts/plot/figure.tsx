'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { Suspense, useMemo, useState, type ComponentProps, type ComponentType, type ReactNode } from 'react'
import { Icon } from '../../ui/icon'
import { Link } from '../../ui/links/link'
import links from '../../ui/links/view-links.module.css'
import { CellReading, CellReadings, Cursor, LinkedLine } from './cursor'
import { LineSample, PanelDrawing, PanelEnds, panelMarkup } from './drawing'
import { ChartMenu } from './chart-menu'
import { useChoice } from '../../ui/links/choice'
import { hiddenAfter, withoutHidden, type Hidden } from './hidden'
import { Legend, PanelHead } from './legend'
import { frames, onLogScale, type BoxChoice, type Plot } from './model'
import { unpack, type Packed, type TableColumns } from './sent/unpack'
import styles from './plot.module.css'
import type { ScaleKind } from './scale'
import { readScale, scaleQuery, tableQuery } from './address'
import { TableRegion, unpackTable } from './table'
import { cutX, cutY, readZoom, wholePlot, withinPart, zoomTexts, zoomWords, type Zoom } from './zoom'

/**
 * Recharts' drawing of a plot, in the box of its first panel: loaded when the user points at the plot, touches it or
 * tabs to it.
 */
type Rich = ComponentType<{ plot: Plot }>

const loadRich = async (): Promise<Rich> => (await import('./recharts')).RechartsDrawing

interface Props {
  readonly sent: Packed<Plot>
  /** The plots of the page that are shown as tables, by their ids. */
  readonly tables: readonly string[]
  readonly tools?: ReactNode
  readonly menu?: ReactNode
  readonly csvHref?: string | undefined
  readonly zoomBase?: string | undefined
  readonly picksPlaces?: boolean | undefined
  readonly box?: BoxChoice | undefined
  readonly below?: ReactNode
  /** The figures in place of the drawing; null: it is drawn. */
  readonly table: Packed<TableColumns> | null
}

/**
 * Title and tools of a plot around its drawing. The static drawing is for the first paint and for readers without
 * JavaScript; Recharts takes over in the same box once the plot is touched. Both are drawn here, so that a page carries
 * the numbers once.
 */
export function PlotFigure({ sent, tables, tools, menu, csvHref, zoomBase, picksPlaces, box, below, table }: Props) {
  const { plot, hidden, setHidden, scale, setScale, zoom, setZoom } = useShown(sent)
  const [Rich, setRich] = useState<Rich | null>(null)
  const isTable = table !== null
  const isRich = plot.isRich === true
  const load = () => void loadRich().then((loaded) => setRich(() => loaded))
  const isWanted = isRich && !isTable && Rich === null
  const choose = (own: readonly string[], isAlone: boolean) => {
    const all = plot.series.map(({ id }) => id)
    setHidden(hiddenAfter(hidden, own, all, isAlone))
  }
  const after = (
    <>
      {!isTable && <Legend plot={plot} hidden={hidden.ids} onChoice={choose} />}
      {plot.note && <p className={styles.note}>{plot.note}</p>}
    </>
  )
  return (
    <>
      <figure
        id={plot.id}
        className={`outlined slim flush ${styles.frame}`}
        data-drawn={!isTable && plot.isRich ? '' : undefined}
        onPointerEnter={isWanted ? load : undefined}
        onFocus={isWanted ? load : undefined}
      >
        <div className={`flex wrap baseline between below-4 ${styles.head}`}>
          <figcaption className={styles.title}>{plot.title}</figcaption>
          <div className={`row wrap ${styles.tools}`}>
            {tools}
            {zoom !== undefined && !isTable && plot.panels[0]?.fit && <ZoomChips zoom={zoom} setZoom={setZoom} />}
            <ScaleLink plot={plot} scale={scale} setScale={setScale} />
            <TableLink id={plot.id} tables={tables} isTable={isTable} />
            <ChartMenu plot={plot} isDrawn={!isTable} csvHref={csvHref}>
              {menu}
            </ChartMenu>
          </div>
        </div>
        {table !== null ? (
          <TableRegion title={plot.title} table={unpackTable(table)} />
        ) : (
          <>
            <PlotDrawing
              plot={plot}
              zoomBase={zoomBase}
              picksPlaces={picksPlaces}
              box={box}
              onPart={zoom && ((part) => setZoom(part === null ? wholePlot : withinPart(zoom, part)))}
              Rich={isRich ? Rich : null}
            />
            {below}
          </>
        )}
        {!isRich && after}
      </figure>
      {isRich && after}
    </>
  )
}

/** The plot on the chosen scale, without the series that the reader hid. */
function useShown(sent: Packed<Plot>) {
  const linear = useMemo(() => unpack(sent), [sent])
  const params = useSearchParams()
  // The address follows later: until then, the click decides.
  const [clicked, setScale] = useState<ScaleKind | null>(null)
  const scale = clicked ?? readScale(params?.getAll('y')) ?? (linear.isLogFirst ? 'log' : 'linear')
  const [hidden, setHidden] = useHidden()
  const [zoom, setZoom] = useZoom()
  const canZoom = linear.heading?.kind === 'quantile'
  const plot = useMemo(() => {
    const cut = canZoom ? cutX(withoutHidden(linear, hidden), zoom.x) : withoutHidden(linear, hidden)
    const scaled = scale === 'log' ? onLogScale(cut) : cut
    return canZoom ? cutY(scaled, zoom.y) : scaled
  }, [linear, hidden, scale, canZoom, zoom])
  return { plot, hidden, setHidden, scale, setScale, zoom: canZoom ? zoom : undefined, setZoom }
}

/** Hidden series, or those that one was isolated from. */
function useHidden(): readonly [hidden: Hidden, set: (next: Hidden) => void] {
  const [hide, setHide] = useChoice('hide')
  const [shadow, setShadow] = useChoice('shadow')
  const isShadow = shadow.length > 0
  const hidden = useMemo(() => ({ ids: new Set(isShadow ? shadow : hide), isShadow }), [hide, shadow, isShadow])
  const set = (next: Hidden) => {
    setHide(next.isShadow ? [] : [...next.ids])
    setShadow(next.isShadow ? [...next.ids] : [])
  }
  return [hidden, set]
}

function useZoom(): readonly [zoom: Zoom, set: (next: Zoom) => void] {
  const [texts, set] = useChoice('zoom')
  const zoom = useMemo(() => readZoom(texts), [texts])
  return [zoom, (next) => set(zoomTexts(next))]
}

/** Names what is shown; each takes its axis back to all. */
function ZoomChips({ zoom, setZoom }: { zoom: Zoom; setZoom: (next: Zoom) => void }) {
  const words = zoomWords(zoom)
  return (['x', 'y'] as const).flatMap((axis) => {
    const text = words[axis]
    if (text === null) return []
    return [
      <button
        key={axis}
        type="button"
        className={`inline-row gap-6 ${links.tool} ${styles.tool}`}
        aria-label={`Shown: ${text}. Show all`}
        onClick={() => setZoom({ ...zoom, [axis]: null })}
      >
        {text}
        <Icon name="close" />
      </button>,
    ]
  })
}

/** To the other scale; nothing if the plot has one. */
function ScaleLink(props: { plot: Plot; scale: ScaleKind; setScale: (scale: ScaleKind) => void }) {
  const { plot, scale, setScale } = props
  const path = usePathname() ?? ''
  const params = new URLSearchParams(useSearchParams() ?? '')
  const other = scale === 'log' ? 'linear' : 'log'
  if (!plot.panels.some((panel) => panel.onLog)) return null
  return (
    <Link
      href={`${path}${scaleQuery(params, other)}#${plot.id}`}
      scroll={false}
      replace
      className={`${links.tool} ${styles.tool}`}
      aria-current={scale === 'log' ? 'true' : undefined}
      onClick={() => setScale(other)}
    >
      Log scale
    </Link>
  )
}

/** To the figures, or back to the drawing. */
function TableLink({ id, tables, isTable }: { id: string; tables: readonly string[]; isTable: boolean }) {
  const path = usePathname() ?? ''
  const params = new URLSearchParams(useSearchParams() ?? '')
  const words = isTable ? 'Show as chart' : 'Show as table'
  return (
    <Link
      href={`${path}${tableQuery(params, id, tables)}#${id}`}
      scroll={false}
      replace
      className={`${links.tool} ${styles.tool} grid ${styles.icon}`}
      aria-current={isTable ? 'true' : undefined}
      title={words}
    >
      <Icon name="table" />
      <span className="visually-hidden">{words}</span>
    </Link>
  )
}

/** Only the panels of a plot: without a cursor, but with the line of one that it is linked with. */
export function PanelDrawings({ sent }: { sent: Packed<Plot> }) {
  const plot = useMemo(() => {
    const linear = unpack(sent)
    return linear.isLogFirst ? onLogScale(linear) : linear
  }, [sent])
  const drawn = useMemo(() => plot.panels.map((panel) => ({ panel, markup: panelMarkup(plot, panel) })), [plot])
  const draw = (over: ReactNode) =>
    drawn.map(({ panel, markup }, at) => (
      <PanelDrawing key={at} plot={plot} panel={panel} markup={markup}>
        {over}
      </PanelDrawing>
    ))
  return plot.link === undefined ? draw(null) : <LinkedLine plot={plot}>{draw}</LinkedLine>
}

/** The panels of a plot under its cursor, without card and tools. */
export function ReadDrawings({ sent }: { sent: Packed<Plot> }) {
  const plot = useMemo(() => unpack(sent), [sent])
  return <PlotDrawing plot={plot} Rich={null} />
}

/** The panels of a plot under one cursor: stacked, or one cell per side. */
function PlotDrawing({
  plot,
  Rich,
  ...cursor
}: Pick<Props, 'zoomBase' | 'picksPlaces' | 'box'> &
  Pick<ComponentProps<typeof Cursor>, 'onPart'> & { plot: Plot; Rich: Rich | null }) {
  const drawn = useMemo(() => plot.panels.map((panel) => ({ panel, markup: panelMarkup(plot, panel) })), [plot])
  const cells = [...new Set(plot.panels.flatMap(({ cell }) => cell ?? []))]
  const draw = ({ panel, markup }: (typeof drawn)[number], at: number, over: ReactNode) => (
    <div key={at} className={styles.panel}>
      <PanelHead plot={plot} panel={panel} />
      <PanelDrawing plot={plot} panel={panel} markup={markup}>
        {over}
      </PanelDrawing>
    </div>
  )
  if (plot.heading === null) return drawn.map((one, at) => draw(one, at, null))
  return (
    <Cursor plot={plot} {...cursor}>
      {(over, x) =>
        cells.length === 0
          ? drawn.map((one, at) =>
              Rich === null ? (
                draw(one, at, over(one.panel))
              ) : (
                <RichBox key={at} plot={plot} Rich={Rich} over={over(one.panel)} />
              ),
            )
          : [
              ...cells.map((cell) => (
                <div key={cell} data-cell>
                  <CellHead plot={plot} cell={cell} x={x} />
                  {drawn.map((one, at) => (one.panel.cell === cell ? draw(one, at, over(one.panel)) : null))}
                </div>
              )),
              <p key="said" className="visually-hidden" aria-live="polite">
                <Suspense>{x !== null && <CellReadings plot={plot} cells={cells} x={x} />}</Suspense>
              </p>,
            ]
      }
    </Cursor>
  )
}

/** The name of a cell's side, and the cursor's reading in it. */
function CellHead({ plot, cell, x }: { plot: Plot; cell: number; x: number | null }) {
  const series = plot.series[cell]
  return (
    <>
      <div className="row gap-8 text-12">
        {series && <LineSample series={series.style} width={20} stroke={3} />}
        <strong>{series?.name}</strong>
      </div>
      <p className={`muted text-12 ${styles.reading}`}>
        <Suspense fallback={'\u00a0'}>{x === null ? '\u00a0' : <CellReading plot={plot} cell={cell} x={x} />}</Suspense>
      </p>
    </>
  )
}

/** Recharts in the box of the static drawing, under the same cursor. */
function RichBox({ plot, Rich, over }: { plot: Plot; Rich: Rich; over: ReactNode }) {
  const { top, right, bottom, left, height } = frames.large
  const [panel] = plot.panels
  return (
    <div className="relative" style={{ height: top + height + bottom }}>
      <Rich plot={plot} />
      <div className={styles.area} data-plot-area style={{ inset: `${top}px ${right}px ${bottom}px ${left}px` }}>
        {panel && <PanelEnds plot={plot} panel={panel} />}
        {over}
      </div>
    </div>
  )
}
