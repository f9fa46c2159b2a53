import { columnUnit, formatTick } from '../../lib/format'
import type { Timeline, TimelineHeat } from '../../lib/run/run'
import { logTicks } from './scale'
import type { PlacedTick } from './scale'

/** A rectangle of the heat map; all in 0…1 of the panel, `y` from the top. */
export interface HeatCell {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** 0…1: the square root of its share of the fullest cell, so that a lone slow request is still seen. */
  readonly strength: number
  readonly count: number
}

export interface HeatPanel {
  readonly title: string
  readonly yTicks: readonly PlacedTick[]
  readonly cells: readonly HeatCell[]
  /** Requests in the fullest cell. */
  readonly fullest: number
}

/** A drawing never carries more cells. */
const maxCells = 2_000

/** Prepares the heat map; columns are joined in pairs (counts add) until few enough cells hold requests. Null: none does. */
export function prepareHeat({ requests, binMs, heat }: Timeline): HeatPanel | null {
  const { lowerMs, counts, columnMs } = joined(heat)
  const [lowestMs] = lowerMs
  const fullest = Math.max(0, ...counts.flat())
  if (lowestMs === undefined || fullest === 0) return null
  const spanMs = requests.length * binMs
  const rows = counts.length
  const cells = counts.flatMap((band, row) =>
    band.flatMap((count, column): HeatCell[] => {
      if (count === 0) return []
      const x = (column * columnMs) / spanMs
      const right = Math.min(1, ((column + 1) * columnMs) / spanMs)
      const strength = Math.sqrt(count / fullest)
      return [{ x, y: (rows - row - 1) / rows, width: right - x, height: 1 / rows, strength, count }]
    }),
  )
  const unit = columnUnit('ms', [lowerMs.at(-1) ?? lowestMs])
  return {
    title: `Requests by latency (${unit.label}, log scale)`,
    yTicks: bandTicks(lowerMs).map(({ at, ms }) => ({ at, label: formatTick(ms * unit.factor) })),
    cells,
    fullest,
  }
}

function joined(heat: TimelineHeat) {
  let counts = heat.counts
  let columnMs = heat.binMs
  const used = () => counts.reduce((sum, band) => sum + band.filter((count) => count > 0).length, 0)
  while (used() > maxCells) {
    counts = counts.map((band) =>
      Array.from(
        { length: Math.ceil(band.length / 2) },
        (_, index) => (band[index * 2] ?? 0) + (band[index * 2 + 1] ?? 0),
      ),
    )
    columnMs *= 2
  }
  return { lowerMs: heat.lowerMs, counts, columnMs }
}

/** Powers of ten among the bands; bounds of bands where fewer than two are. */
function bandTicks(lowerMs: readonly number[]): readonly { readonly at: number; readonly ms: number }[] {
  const rows = lowerMs.length
  const first = lowerMs[0] ?? 0
  const last = (lowerMs.at(-1) ?? 0) * Math.SQRT2
  const positive = first > 0 ? first : (lowerMs[1] ?? last)
  const tens = positive > 0 && last > positive ? logTicks(positive, last) : []
  const placed = tens.flatMap((ms) => {
    const row = lowerMs.findLastIndex((lower) => lower <= ms * 1.000_001)
    const lower = lowerMs[row]
    if (lower === undefined || lower <= 0 || ms > last) return []
    const upper = lowerMs[row + 1] ?? last
    const within = upper > lower ? Math.log(Math.max(1, ms / lower)) / Math.log(upper / lower) : 0
    return [{ at: (row + Math.min(1, within)) / rows, ms }]
  })
  if (placed.length >= 2) return placed
  const every = Math.max(1, Math.ceil(rows / 4))
  return lowerMs.flatMap((ms, row) => (row % every === 0 ? [{ at: row / rows, ms: Number(ms.toPrecision(3)) }] : []))
}
