import type { ReactNode } from 'react'
import { RenderedMarkup, element, joined, words, type Markup } from '../../ui/markup'
import { frames, heightOf, labelOf, type Panel, type Plot } from './model'
import styles from './plot.module.css'
import { drawEnds, drawPanel, pathThrough, type Canvas, type PlacedWords } from './svg'

const percent = (share: number): string => `${Number((share * 100).toFixed(3))}%`

/** A drawing in a page: places are percentages, so words keep their size at any width; colours are the theme's. */
const canvasOf = (units: number): Canvas => ({
  x: percent,
  y: percent,
  path: (places) => pathThrough(places, units),
  thickness: (share) => Math.round(share * units),
  placed: ([x, y], inner) => element('svg', { x: percent(x), y: percent(y), overflow: 'visible' }, inner),
  stretched: (inner, isCut = false) =>
    element(
      'svg',
      {
        viewBox: `0 0 ${units} ${units}`,
        preserveAspectRatio: 'none',
        width: '100%',
        height: '100%',
        overflow: isCut ? 'hidden' : 'visible',
      },
      inner,
    ),
  paint: (role, verdict) => ({ class: styles[role], 'data-verdict': verdict }),
  color: (variable) => variable,
  hasLinks: true,
  words: (all) => joined(...groupsOf(all).map(drawWords)),
})
/** Whole numbers are half as long as fractions, and this fine enough. */
const canvas = canvasOf(10_000)
const smallCanvas = canvasOf(1_000)

/** Neighbours with the same role and anchor, which are written once. */
function groupsOf(all: readonly PlacedWords[]): readonly (readonly [PlacedWords, ...PlacedWords[]])[] {
  const groups: [PlacedWords, ...PlacedWords[]][] = []
  for (const one of all) {
    const last = groups.at(-1)
    if (last && last[0].role === one.role && last[0].anchor === one.anchor && last[0].color === one.color)
      last.push(one)
    else groups.push([one])
  }
  return groups
}

function drawWords(group: readonly [PlacedWords, ...PlacedWords[]]): Markup {
  const [{ role, anchor, color }] = group
  const texts = group.map(({ at, dx, dy, text, sign, signFromPx, isSpare }) => {
    const [x, y] = at.map((share) => (share === 0 ? undefined : percent(share)))
    const place = { x, y, dx: dx || undefined, dy, class: isSpare ? styles.spare : undefined }
    const spare = signFromPx === undefined ? styles.spare : `${styles.spare} ${styles[`from${signFromPx}`]}`
    const more = sign === undefined ? joined() : element('tspan', { class: spare }, words(sign))
    return element('text', place, joined(words(text), more))
  })
  const paint = { class: styles[role], fill: color, 'text-anchor': anchor === 'start' ? undefined : anchor }
  return element('g', paint, joined(...texts))
}

/** The elements of a panel, as text: made once, however often the cursor moves over it. */
export const panelMarkup = (plot: Plot, panel: Panel): Markup =>
  drawPanel(plot, panel, panel.frame === 'small' || panel.frame === 'map' ? smallCanvas : canvas)

/** What covers Recharts' drawing of a panel: words at the ends of lines, the column of the max. */
export function PanelEnds({ plot, panel }: { plot: Plot; panel: Panel }) {
  return (
    <svg className={styles.inner} width="100%" height="100%" aria-hidden="true">
      <RenderedMarkup as="g" markup={drawEnds(plot, panel, canvas)} />
    </svg>
  )
}

/** A panel in its box, under `children`. Works on the server and without JavaScript. */
export function PanelDrawing(props: { plot: Plot; panel: Panel; markup: Markup; children?: ReactNode }) {
  const { plot, panel, markup, children } = props
  const { top, right, bottom, left } = frames[panel.frame]
  return (
    <div className="relative" style={{ height: top + heightOf(panel) + bottom }}>
      <div className={styles.area} data-plot-area style={{ inset: `${top}px ${right}px ${bottom}px ${left}px` }}>
        <svg
          className={styles.inner}
          width="100%"
          height="100%"
          role={panel.frame === 'trend' || panel.frame === 'small' ? 'group' : 'img'}
          aria-label={panel.label ?? labelOf(plot)}
        >
          <RenderedMarkup as="g" markup={markup} />
        </svg>
        {children}
      </div>
    </div>
  )
}

/** A piece of a series' line, as in every legend. */
export function LineSample({
  series,
  width = 28,
  stroke = 2,
  children,
}: {
  series: { readonly color: string; readonly dash: string }
  width?: number
  stroke?: number
  children?: ReactNode
}) {
  return (
    <svg width={width} height="12" aria-hidden="true" className="rigid">
      <line x2={width} y1="6" y2="6" stroke={series.color} strokeWidth={stroke} strokeDasharray={series.dash} />
      {children}
    </svg>
  )
}
