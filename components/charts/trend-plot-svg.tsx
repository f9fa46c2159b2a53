import type { ReactNode } from 'react'
import { Marker } from './marker'
import plotStyles from './plot.module.css'
import { box } from './scale'
import type { TrendLine, TrendPlot } from './trend-plot'
import styles from './trend-plot.module.css'

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`

/** Beyond this many dots a line is drawn without them. */
const mostDots = 120

/** A metric over time without JavaScript: places are percentages of its box, so text keeps its size at any width. */
export function TrendPlotSvg({ plot, small = false }: { plot: TrendPlot; small?: boolean }) {
  const yTicks = small ? plot.yTicks.filter((_, at) => at === 0 || at === plot.yTicks.length - 1) : plot.yTicks
  const xTicks = small ? plot.xTicks.filter((_, at) => at === 0 || at === plot.xTicks.length - 1) : plot.xTicks
  return (
    <div className={small ? styles.small : plotStyles.plot}>
      <div
        style={{
          position: 'absolute',
          inset: `${small ? 14 : 24}px ${box.right}px ${small ? 20 : 28}px ${box.left}px`,
        }}
      >
        <svg className={plotStyles.inner} width="100%" height="100%" role="group" aria-label={plot.title}>
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
          {(plot.labelMarks ?? []).map((one) => (
            <g key={`${one.x} ${one.title}`} className={styles.labelMark} role="img" aria-label={one.title}>
              <title>{one.title}</title>
              <line x1={percent(one.x)} x2={percent(one.x)} y1={small ? '92%' : '0'} y2="100%" />
              {!small && one.label !== '' && (
                <text x={percent(one.x)} y="0" dx={4} dy={11}>
                  {one.label}
                </text>
              )}
            </g>
          ))}
          {(plot.annotations ?? []).map((one, at) => (
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
          {plot.lines.map((line) => (
            <Line key={line.key} line={line} dotted={!small && line.dots.length <= mostDots} />
          ))}
          {plot.lines.map((line) => (
            <Marks key={line.key} line={line} labelled={!small || line.marks.length <= 2} />
          ))}
        </svg>
      </div>
    </div>
  )
}

function Line({ line, dotted }: { line: TrendLine; dotted: boolean }) {
  const { band, style, dots, stretches } = line
  const path = stretches
    .map((stretch) =>
      stretch
        .flatMap((at) => dots[at] ?? [])
        .map((dot, at) => `${at === 0 ? 'M' : 'L'}${(dot.x * 1000).toFixed(2)} ${(dot.y * 1000).toFixed(2)}`)
        .join(''),
    )
    .join('')
  const lonely = stretches.flatMap((stretch) => (stretch.length === 1 ? stretch : []))
  const shown = dotted ? dots : lonely.flatMap((at) => dots[at] ?? [])
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
      <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" width="100%" height="100%" overflow="visible">
        <path
          d={path}
          fill="none"
          stroke={style.color}
          strokeWidth={1.75}
          strokeDasharray={style.dash}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      {dots.map((dot, at) =>
        dot.spread === null ? null : (
          <line
            key={at}
            x1={percent(dot.x)}
            x2={percent(dot.x)}
            y1={percent(dot.spread[0])}
            y2={percent(dot.spread[1])}
            stroke={style.color}
            opacity={0.5}
          />
        ),
      )}
      {shown.map((dot, at) => (
        <svg key={at} x={percent(dot.x)} y={percent(dot.y)} overflow="visible">
          <g transform="scale(0.75)">
            <Marker shape={style.marker} color={style.color} hollow={false} />
          </g>
        </svg>
      ))}
    </g>
  )
}

function Marks({ line, labelled }: { line: TrendLine; labelled: boolean }) {
  return line.marks.map((mark, at) => (
    <MarkLink key={at} href={mark.href} className={styles[mark.verdict]} label={`${line.name}: ${mark.title}`}>
      <title>{mark.title}</title>
      <line x1={percent(mark.x)} x2={percent(mark.x)} y1="0" y2="100%" className={styles.mark} />
      {labelled && (
        <text
          x={percent(mark.x)}
          y={-6}
          textAnchor={mark.x > 0.85 ? 'end' : mark.x < 0.1 ? 'start' : 'middle'}
          className={styles.markLabel}
        >
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
