import { columnUnit, formatCount, formatTick } from '../../lib/format'
import type { Timeline, TimelineHeat } from '../../lib/run/run'
import type { Panel } from './plot/model'

/** A drawing never has more cells. */
const maxCells = 2_000

/** Prepares the heat map; joins columns in pairs (counts add) until few enough cells hold requests. Null: none does. */
export function prepareHeat({ heat }: Pick<Timeline, 'heat'>): Panel | null {
  const { lowerMs, counts, columnMs } = joined(heat)
  const [lowestMs] = lowerMs
  if (lowestMs === undefined || counts.every((band) => band.every((count) => count === 0))) return null
  const unit = columnUnit('ms', [lowerMs.at(-1) ?? lowestMs])
  const most = Math.max(...counts.flat())
  const title = `Requests by latency (${unit.label}, log scale; darkest cell: ${formatCount(most)})`
  return {
    title,
    label: `${title}, over time`,
    y: {
      scale: 'linear',
      domain: [0, 1],
      ticks: bandTicks(lowerMs).map(({ at, ms }) => ({ at, label: formatTick(ms * unit.factor) })),
    },
    marks: [{ kind: 'cells', series: 0, columnWidth: columnMs, rows: counts }],
    says: 'count',
    frame: 'middle',
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

/** Where a latency is on the map, as a share of its height from the bottom: logarithmic within its band. */
export function heatPlace(lowerMs: readonly number[], ms: number): number {
  const rows = lowerMs.length
  const row = lowerMs.findLastIndex((lower) => lower <= ms * 1.000_001)
  if (row < 0) return 0
  const lower = lowerMs[row] ?? 0
  const upper = lowerMs[row + 1] ?? lower * Math.SQRT2
  const within = lower > 0 && upper > lower ? Math.log(Math.max(1, ms / lower)) / Math.log(upper / lower) : 0
  return (row + Math.min(1, within)) / rows
}

/** Digits of round values, tried in this order until two of the values are among the bands. */
const roundDigits = [[1], [1, 2, 5], [1, 1.5, 2, 3, 4, 5, 6, 8]] as const
const maxTicks = 6

/**
 * Round values among the bands: powers of ten, closer ones if there are fewer than two; bounds of bands if there are
 * none.
 */
function bandTicks(lowerMs: readonly number[]): readonly { readonly at: number; readonly ms: number }[] {
  const rows = lowerMs.length
  const first = lowerMs[0] ?? 0
  const last = (lowerMs.at(-1) ?? 0) * Math.SQRT2
  const positive = first > 0 ? first : (lowerMs[1] ?? last)
  const place = (ms: number) => {
    const lower = lowerMs.findLast((one) => one <= ms * 1.000_001)
    return lower === undefined || lower <= 0 || ms > last ? [] : [{ at: heatPlace(lowerMs, ms), ms }]
  }
  if (positive > 0 && last > positive) {
    const [from, to] = [Math.floor(Math.log10(positive)), Math.ceil(Math.log10(last))]
    const powers = Array.from({ length: to - from + 1 }, (_, at) => from + at)
    for (const digits of roundDigits) {
      const placed = powers.flatMap((power) => digits.flatMap((digit) => place(Number(`${digit}e${power}`))))
      if (placed.length >= 2) return placed.filter((_, at) => at % Math.ceil(placed.length / maxTicks) === 0)
    }
  }
  const every = Math.max(1, Math.ceil(rows / 4))
  return lowerMs.flatMap((ms, row) => (row % every === 0 ? [{ at: row / rows, ms: Number(ms.toPrecision(3)) }] : []))
}
