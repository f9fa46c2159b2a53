import { place, seriesStyle } from '../scale'
import { markerPaint, markerPaths } from '../svg'
import styles from './rows.module.css'

/** A place in the box of a curve: shares from the left and from the top. */
export type CurvePlace = readonly [right: number, down: number]

/** Percentiles of a cell as a line without axes, and those of its base behind it. */
export interface CellCurve {
  readonly own: readonly CurvePlace[]
  /** Empty: it is the base, or the base has none. */
  readonly base: readonly CurvePlace[]
}

/** Position of 1 in so many, from the median to the 99th percentile: a share of the width. */
export const curveX = (oneIn: number): number => place(oneIn, [2, 100], 'log')

/** Upright hairlines: 1 in 10, 1 in 100. */
const ticks = [10, 100].map(curveX)

const [width, height, pad] = [132, 44, 6]

const at = ([right, down]: CurvePlace): string =>
  `${(pad + right * (width - 2 * pad)).toFixed(1)} ${(pad + down * (height - 2 * pad)).toFixed(1)}`

const lineThrough = (places: readonly CurvePlace[]): string => `M${places.map(at).join('L')}`

/**
 * Percentiles of a cell in the style of its column, its base in grey behind. The figures beside it give them in words.
 */
export function CurveDrawing({ curve, styleIndex }: { readonly curve: CellCurve; readonly styleIndex: number }) {
  const style = seriesStyle(styleIndex)
  const end = curve.own.at(-1)
  const { fill, stroke } = markerPaint(style.color, false)
  const upright = ticks.map((x) => `M${at([x, 0])}V${height - pad}`).join('')
  return (
    <svg
      className={`block rigid ${styles.curve}`}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      <path d={`M${pad} ${height - pad}H${width - pad}`} stroke="var(--line)" />
      <path d={upright} stroke="var(--line)" strokeDasharray="1 2" />
      {curve.base.length > 0 && (
        <path d={lineThrough(curve.base)} fill="none" stroke="var(--median)" strokeWidth="1.25" />
      )}
      <path d={lineThrough(curve.own)} fill="none" stroke={style.color} strokeWidth="2" strokeDasharray={style.dash} />
      {end !== undefined && (
        <path
          d={markerPaths[style.marker]}
          transform={`translate(${at(end)}) scale(0.75)`}
          fill={fill}
          stroke={stroke}
        />
      )}
    </svg>
  )
}
