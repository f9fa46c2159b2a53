import type { ReactNode } from 'react'
import styles from './plot.module.css'
import { box } from './scale'

/** A share of the box as SVG and CSS take it. */
export const percent = (share: number): string => `${(share * 100).toFixed(3)}%`

interface Props {
  readonly title: string
  readonly series: readonly { readonly name: string }[]
  /** `at`: share of the height, from the top. */
  readonly yTicks: readonly { readonly at: number; readonly label: string }[]
  /** Ticks below, lines, the axis: positions are percentages, so text keeps its size at any width. */
  readonly children: ReactNode
}

/** The box of a drawing without JavaScript, with its name and the grid that every one has. */
export function StaticBox({ title, series, yTicks, children }: Props) {
  return (
    <div className={styles.plot}>
      <div style={{ position: 'absolute', inset: `${box.top}px ${box.right}px ${box.bottom}px ${box.left}px` }}>
        <svg
          className={styles.inner}
          width="100%"
          height="100%"
          role="img"
          aria-label={`${title}: ${series.map((one) => one.name).join(', ')}`}
        >
          {yTicks.map(({ at, label }) => (
            <g key={`${at} ${label}`}>
              <line x1="0" x2="100%" y1={percent(at)} y2={percent(at)} className={styles.grid} />
              <text x="0" y={percent(at)} dx={-8} dy={4} textAnchor="end" className={styles.tick}>
                {label}
              </text>
            </g>
          ))}
          {children}
        </svg>
      </div>
    </div>
  )
}

/** The line that a plot stands on. */
export const BaseLine = () => <line x1="0" x2="100%" y1="100%" y2="100%" className={styles.axis} />

/** Texts below the axis; `at`: share of the width. */
export function XTicks({ ticks }: { ticks: readonly { readonly at: number; readonly label: string }[] }) {
  return ticks.map(({ at, label }) => (
    <text key={`${at} ${label}`} x={percent(at)} y="100%" dy={18} textAnchor="middle" className={styles.tick}>
      {label}
    </text>
  ))
}
