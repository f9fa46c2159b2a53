import type { ReactNode, SVGProps } from 'react'
import styles from './rows.module.css'

/** The labels on the axis of a forest plot. Places are shares of its width, 0.5 is no change. */
export interface ForestScale {
  readonly ticks: readonly { readonly at: number; readonly text: string; readonly isSpare: boolean }[]
}

/** A cell of a forest plot, in shares of its width: ready to draw. */
export interface ForestCell {
  /** Changes too small to matter; null: not judged. */
  readonly zone: { readonly left: number; readonly right: number } | null
  /** Null: no ratio expresses the change. */
  readonly mark: ForestMark | null
}

interface ForestMark {
  readonly tone: 'better' | 'worse' | 'quiet'
  readonly at: number
  /** The interval; null: there is none, the mark is hollow on a stem. */
  readonly from: number | null
  readonly to: number | null
  /** Whether it continues beyond the axis. */
  readonly isOpen: readonly [left: boolean, right: boolean]
  /** The mark itself is off the axis: an arrow with its number. */
  readonly beyond: 'left' | 'right' | null
  /** How many times, without direction. */
  readonly text: string
}

const percent = (share: number): string => `${Number((share * 100).toFixed(2))}%`

/** The lines of the axis: drawn once in the head, and used by every cell. */
const linesId = 'forest-lines'

/** One cell, below the axis. The table states in words what it shows. */
export function ForestDrawing({ cell: { zone, mark } }: { cell: ForestCell }) {
  return (
    <svg className={styles.forest} width="100%" height="100%" aria-hidden="true" data-tone={mark?.tone}>
      {zone && <rect x={percent(zone.left)} width={percent(zone.right - zone.left)} height="100%" data-zone={1} />}
      <use href={`#${linesId}`} />
      {mark && <Mark mark={mark} />}
    </svg>
  )
}

function Mark({ mark: { at, from, to, isOpen, beyond, text } }: { mark: ForestMark }) {
  const isLeft = beyond === 'left'
  return (
    <>
      {from === null || to === null ? (
        <Across from={0.5} to={at} data-stem={1} />
      ) : (
        <>
          <Across from={from} to={to} />
          <Cap at={from} d={isOpen[0] ? 'M4-4L0 0L4 4' : closedCap} />
          <Cap at={to} d={isOpen[1] ? 'M-4-4L0 0L-4 4' : closedCap} />
        </>
      )}
      <Placed at={at}>
        {beyond === null ? (
          <circle r={from === null ? 4.2 : 4} data-hollow={from === null ? 1 : undefined} />
        ) : (
          <>
            <path d={isLeft ? 'M0 0L8-4.5V4.5z' : 'M0 0L-8-4.5V4.5z'} data-arrow={1} />
            <text x={isLeft ? 12 : -12} y={-5} textAnchor={isLeft ? 'start' : 'end'}>
              {text}
            </text>
          </>
        )}
      </Placed>
    </>
  )
}

const middle = '50%'
const closedCap = 'M0-4V4'

function Across({ from, to, ...more }: { from: number; to: number } & SVGProps<SVGLineElement>) {
  return <line x1={percent(from)} x2={percent(to)} y1={middle} y2={middle} {...more} />
}

function Cap({ at, d }: { at: number; d: string }) {
  return (
    <Placed at={at}>
      <path d={d} fill="none" />
    </Placed>
  )
}

/** Something drawn around a place on the middle line. */
function Placed({ at, children }: { at: number; children: ReactNode }) {
  return (
    <svg x={percent(at)} y={middle} overflow="visible">
      {children}
    </svg>
  )
}

/** The axis in the column's head. */
export function ForestAxis({ scale: { ticks } }: { scale: ForestScale }) {
  return (
    <svg className={`block ${styles.forestAxis}`} width="100%" height="18" aria-hidden="true">
      <defs>
        <g id={linesId}>
          {ticks.map(({ at, isSpare }) => (
            <line
              key={at}
              x1={percent(at)}
              x2={percent(at)}
              y2="100%"
              className={at === 0.5 ? styles.forestSame : isSpare ? `${styles.grid} ${styles.spare}` : styles.grid}
            />
          ))}
        </g>
      </defs>
      {ticks.map(({ at, text, isSpare }) => (
        <text key={at} x={percent(at)} y={13} className={isSpare ? styles.spare : undefined}>
          {text}
        </text>
      ))}
    </svg>
  )
}
