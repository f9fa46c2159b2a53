'use client'

import { useId, type ReactNode } from 'react'
import { Marker } from './marker'
import plotStyles from './plot.module.css'
import { box } from './scale'
import { drawingUnits, type DrawnLine, type TrendDrawing } from './trend-drawing'
import styles from './trend-plot.module.css'

const percent = (share: number): string => `${Number((share * 100).toFixed(2))}%`

/**
 * A metric over time without JavaScript: places are percentages of its box, so text keeps its size at any width. Drawn in
 * the browser again, so that a page carries a plot once as HTML and once as its paths, not as elements twice.
 */
export function TrendPlotSvg({ drawing }: { drawing: TrendDrawing }) {
  const { yTicks, xTicks, isSmall: small } = drawing
  const marked = drawing.lines.flatMap((line) => line.marks.map((mark) => mark.x))
  return (
    <div className={small ? styles.small : plotStyles.plot}>
      <div
        style={{
          position: 'absolute',
          inset: `${small ? 14 : 24}px ${box.right}px ${small ? 20 : 28}px ${box.left}px`,
        }}
      >
        <svg className={plotStyles.inner} width="100%" height="100%" role="group" aria-label={drawing.title}>
          {yTicks.map(({ y, label }) => (
            <g key={label}>
              <line x1="0" x2="100%" y1={percent(y)} y2={percent(y)} className={plotStyles.grid} />
              <text x="0" y={percent(y)} dx={-8} dy={4} textAnchor="end" className={plotStyles.tick}>
                {label}
              </text>
            </g>
          ))}
          <line x1="0" x2="100%" y1="100%" y2="100%" className={plotStyles.axis} />
          {xTicks.map(({ x, label }, at) => (
            <text
              key={label}
              x={percent(x)}
              y="100%"
              dy={16}
              textAnchor={at === 0 && x === 0 ? 'start' : at === xTicks.length - 1 && x === 1 ? 'end' : 'middle'}
              className={`${plotStyles.tick} ${xTicks.length > 3 && at > 0 && at < xTicks.length - 1 ? styles.between : ''}`}
            >
              {label}
            </text>
          ))}
          {(drawing.labelMarks ?? []).map((one) => (
            <g key={`${one.x} ${one.title}`} className={styles.labelMark} role="img" aria-label={one.title}>
              <title>{one.title}</title>
              <line x1={percent(one.x)} x2={percent(one.x)} y1="0" y2="100%" />
              {one.label !== '' && (
                <text x={percent(one.x)} y="0" dx={4} dy={11}>
                  {one.label}
                </text>
              )}
            </g>
          ))}
          {drawing.labelTicks !== '' && (
            <svg
              viewBox={`0 0 ${drawingUnits.small} ${drawingUnits.small}`}
              preserveAspectRatio="none"
              width="100%"
              height="100%"
              className={styles.labelTicks}
            >
              <path d={drawing.labelTicks} vectorEffect="non-scaling-stroke" />
            </svg>
          )}
          {(drawing.annotations ?? []).map((one, at) => (
            <g key={`${at} ${one.title}`} className={styles.annotation} role="img" aria-label={one.title}>
              <title>{one.title}</title>
              <line x1={percent(one.x)} x2={percent(one.x)} y1="0" y2="100%" />
              {!small && (
                <text
                  x={percent(one.x)}
                  y="100%"
                  dx={one.x > 0.8 ? -5 : 5}
                  dy={-6 - 13 * (at % 3)}
                  textAnchor={one.x > 0.8 ? 'end' : 'start'}
                >
                  {one.label}
                </text>
              )}
            </g>
          ))}
          {drawing.lines.map((line) => (
            <Line key={line.key} line={line} units={small ? drawingUnits.small : drawingUnits.large} />
          ))}
          {drawing.lines.map((line) => (
            <Marks key={line.key} line={line} marked={marked} labelled={!small || line.marks.length <= 2} />
          ))}
        </svg>
      </div>
    </div>
  )
}

function Line({ line, units }: { line: DrawnLine; units: number }) {
  const { band, style, path, spots, spreads } = line
  const marker = useId()
  return (
    <g>
      {band && (
        <rect
          x={percent(band.x)}
          y={percent(band.top)}
          width={percent(Math.max(0, 1 - band.x))}
          height={percent(Math.max(0, band.bottom - band.top))}
          fill={style.color}
          opacity={0.1}
        />
      )}
      <svg
        viewBox={`0 0 ${units} ${units}`}
        preserveAspectRatio="none"
        width="100%"
        height="100%"
        overflow="visible"
        fill="none"
        stroke={style.color}
      >
        {spreads !== '' && <path d={spreads} opacity={0.5} vectorEffect="non-scaling-stroke" />}
        <path d={path} strokeWidth={1.75} strokeDasharray={style.dash} vectorEffect="non-scaling-stroke" />
      </svg>
      {spots.length > 0 && (
        <>
          <defs>
            <g id={marker} transform="scale(0.75)">
              <Marker shape={style.marker} color={style.color} hollow={false} />
            </g>
          </defs>
          {spots.map(([x, y], at) => (
            <use key={at} href={`#${marker}`} x={percent(x)} y={percent(y)} />
          ))}
        </>
      )}
    </g>
  )
}

/** Nearer than this share of the width two words in the middle above their marks would lie over each other. */
const nearMarks = 0.25

/** Words stand over their mark, and beside it where they would leave the drawing or meet those of the next mark. */
function anchorOf(x: number, marked: readonly number[]): 'start' | 'middle' | 'end' {
  if (x > 0.85) return 'end'
  if (x < 0.1) return 'start'
  const nextIsNear = marked.some((other) => other > x && other - x < nearMarks)
  const lastIsNear = marked.some((other) => other < x && x - other < nearMarks)
  return nextIsNear === lastIsNear ? 'middle' : nextIsNear ? 'end' : 'start'
}

interface MarksProps {
  readonly line: DrawnLine
  /** Where the marks of all lines stand. */
  readonly marked: readonly number[]
  readonly labelled: boolean
}

function Marks({ line, marked, labelled }: MarksProps) {
  return line.marks.map((mark, at) => (
    <MarkLink key={at} href={mark.href} className={styles[mark.verdict]} label={`${line.name}: ${mark.title}`}>
      <title>{mark.title}</title>
      <line x1={percent(mark.x)} x2={percent(mark.x)} y1="0" y2="100%" className={styles.mark} />
      {labelled && (
        <text x={percent(mark.x)} y={-6} textAnchor={anchorOf(mark.x, marked)} className={styles.markLabel}>
          {mark.label}
        </text>
      )}
    </MarkLink>
  ))
}

interface MarkLinkProps {
  readonly href: string | null
  readonly className: string | undefined
  readonly label: string
  readonly children: ReactNode
}

function MarkLink({ href, className, label, children }: MarkLinkProps) {
  if (href === null)
    return (
      <g className={className} role="img" aria-label={label}>
        {children}
      </g>
    )
  return (
    <a href={href} className={className} aria-label={label}>
      {children}
    </a>
  )
}
