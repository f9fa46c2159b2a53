import type { MetricUnit } from './run/metrics'

/** The only place that formats numbers for people, and the only one that turns ratios into percent. */

export const missing = '–'
/** Narrow and non-breaking. */
const thinSpace = '\u202f'
const minus = '\u2212'

function grouped(digits: string): string {
  const [whole = '', fraction] = digits.split('.')
  const sign = whole.startsWith('-') ? minus : ''
  const plain = sign === '' ? whole : whole.slice(1)
  const spaced = plain.length <= 3 ? plain : plain.replace(/\B(?=(\d{3})+$)/g, thinSpace)
  return sign + spaced + (fraction === undefined ? '' : `.${fraction}`)
}

/** Three significant digits, never an exponent, thin spaces between thousands; whole numbers keep all their digits. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return missing
  if (value === 0) return '0'
  if (Math.abs(value) >= 1_000) return grouped(String(Math.round(value)))
  const digits = Number(value.toPrecision(3))
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(digits))))
  return grouped(digits.toFixed(Math.min(decimals, 12)))
}

/** An axis tick: already round, so no zeros are added. */
export const formatTick = (value: number): string => grouped(String(Number(value.toPrecision(9))))

/** A tick on an axis of counts, short enough for its margin: `800`, `20k`, `1.5M`. */
export function formatCountTick(value: number): string {
  const [unit, name] = value >= 1e9 ? [1e9, 'G'] : value >= 1e6 ? [1e6, 'M'] : value >= 1e4 ? [1e3, 'k'] : [1, '']
  return `${formatTick(value / unit)}${name}`
}

/** A count with all its digits: 965 396 910. */
export function formatCount(value: number | null): string {
  return value === null ? missing : grouped(String(Math.round(value)))
}

/** How a column of figures is shown: `value × factor` followed by `label`. */
export interface ColumnUnit {
  readonly label: string
  readonly factor: number
}

const timeUnits: readonly { readonly from: number; readonly unit: ColumnUnit }[] = [
  { from: 1_000, unit: { label: 's', factor: 1e-3 } },
  { from: 0.1, unit: { label: 'ms', factor: 1 } },
  { from: 1e-4, unit: { label: 'µs', factor: 1e3 } },
  { from: 0, unit: { label: 'ns', factor: 1e6 } },
]
const byteUnits: readonly { readonly from: number; readonly unit: ColumnUnit }[] = [
  { from: 1e9, unit: { label: 'GB', factor: 1e-9 } },
  { from: 1e6, unit: { label: 'MB', factor: 1e-6 } },
  { from: 1e3, unit: { label: 'kB', factor: 1e-3 } },
  { from: 0, unit: { label: 'B', factor: 1 } },
]

function middleOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value): value is number => value !== null && Number.isFinite(value)).map(Math.abs)
  known.sort((a, b) => a - b)
  return known[Math.floor((known.length - 1) / 2)] ?? null
}

/** One unit for a whole column, chosen from its (lower) median. */
export function columnUnit(unit: MetricUnit, values: readonly (number | null)[]): ColumnUnit {
  const table = unit === 'ms' ? timeUnits : unit === 'bytes' ? byteUnits : null
  if (table) {
    const middle = middleOf(values) || (unit === 'ms' ? 1 : 0)
    return (table.find(({ from }) => middle >= from) ?? table[1])?.unit ?? { label: '', factor: 1 }
  }
  return { label: unit === 'ratio' ? '' : unit === 'per-second' ? '/s' : unit === 'mb' ? 'MB' : '', factor: 1 }
}

/** The figure in a column's unit, without the unit's name; – when missing. */
export function formatInColumn(value: number | null, unit: MetricUnit, column: ColumnUnit): string {
  if (value === null) return missing
  if (unit === 'ratio') return formatPercent(value)
  if (unit === 'count') return formatCount(value)
  return formatNumber(value * column.factor)
}

/** A single figure with its unit: `21.1 ms`, `2 741/s`, `99.98 %`. */
export function formatMetric(value: number | null, unit: MetricUnit): string {
  if (value === null) return missing
  const column = columnUnit(unit, [value])
  return withUnit(formatInColumn(value, unit, column), column)
}

/** A figure of a column, which stands alone: `21.1 ms`, `2 741/s`. */
export const withUnit = (text: string, { label }: ColumnUnit): string =>
  label === '' ? text : label === '/s' ? `${text}/s` : `${text}\u00a0${label}`

/** A number that a person set, with its unit: no zeros are added: `80 ms`, `0.1 %`. */
export function formatSet(value: number, unit: MetricUnit): string {
  if (unit === 'ratio') return formatPercent(value)
  const column = columnUnit(unit, [value])
  return withUnit(formatTick(value * column.factor), column)
}

/** How far values vary, with the digits of a change: `± 13.7 %`. */
export const formatSpread = (ratio: number): string => `±\u00a0${formatNumber(ratio * 100)}\u00a0%`

/** A difference of shares: `2.4 points`. */
export const formatPoints = (ratio: number): string => formatPercent(ratio).replace('%', 'points')

export const formatMs = (ms: number | null): string => formatMetric(ms, 'ms')
export const formatBytes = (bytes: number | null): string => formatMetric(bytes, 'bytes')

/** A ratio 0…1 as percent with at most two decimals; only exactly 1 and 0 read 100 % and 0 %. */
export function formatPercent(ratio: number | null): string {
  if (ratio === null) return missing
  if (ratio === 0 || ratio === 1) return `${ratio * 100}\u00a0%`
  for (let decimals = 2; decimals <= 8; decimals += 1) {
    const text = (ratio * 100).toFixed(decimals)
    const short = String(Number(text))
    // JavaScript writes small numbers as 3e-7; their text has no zeros at its end.
    if (Number(text) !== 0 && Number(text) !== 100) return `${short.includes('e') ? text : short}\u00a0%`
  }
  return ratio < 0.5 ? '<\u00a00.00000001\u00a0%' : '>\u00a099.99999999\u00a0%'
}

/** A relative change: +19.2 %, −3.1 %, 0 %; from eleven times on a factor: ×1 350 is readable, +134 930 % is not. */
export function formatChange(ratio: number | null): string {
  if (ratio === null || !Number.isFinite(ratio)) return missing
  if (ratio >= 10) return formatFactor(1 + ratio)
  const text = formatNumber(Math.abs(ratio) * 100)
  // A difference that only rounding leaves is no change.
  if (text === '0' || Math.abs(ratio) < 1e-9) return `0\u00a0%`
  return `${ratio < 0 ? minus : '+'}${text}\u00a0%`
}

/** Two significant digits, whole numbers whole: `8.9`, `23`, `156`. For sentences: more digits would claim too much. */
export const roundNumber = (value: number): string =>
  formatTick(Math.abs(value) >= 10 ? Math.round(value) : Number(value.toPrecision(2)))

/** A relative change for a sentence: `+8.9 %`, `−23 %`. */
export function roundChange(ratio: number | null): string {
  if (ratio === null || !Number.isFinite(ratio)) return missing
  if (ratio >= 10) return `×${roundNumber(1 + ratio)}`
  const text = roundNumber(Math.abs(ratio) * 100)
  return text === '0' ? `0\u00a0%` : `${ratio < 0 ? minus : '+'}${text}\u00a0%`
}

/** A relative change in words: `28 % higher`, `26 % lower`, from three times on `156 times as high`. */
export function roundChangeWords(ratio: number): string {
  if (ratio >= 2) return `${roundNumber(1 + ratio)} times as high`
  return `${roundChange(Math.abs(ratio)).replace('+', '')} ${ratio > 0 ? 'higher' : 'lower'}`
}

/** A factor: ×0.49. */
export function formatFactor(factor: number | null): string {
  return factor === null || !Number.isFinite(factor) ? missing : `×${formatNumber(factor)}`
}

/** Values beside their change are printed with at most this many significant digits. */
const mostDigits = 6
/** How far the quotient of printed values may be from their change: half a digit of it, in sentences. */
const tolerance = (changeRatio: number) => Math.max(0.000_5, Math.abs(changeRatio) * 0.02)

/**
 * Figures in a column, the base first, with as many digits as it takes to read their changes off them: 210.6 and 208.0
 * beside −1.22 %, where 211 and 208 would make it −1.42 %. `changes` has one entry per figure; null: none.
 */
export function formatCompared(
  values: readonly (number | null)[],
  changes: readonly (number | null)[],
  unit: MetricUnit,
  column: ColumnUnit,
): readonly string[] {
  const plain = values.map((value) => formatInColumn(value, unit, column))
  if (unit === 'ratio' || unit === 'count') return plain
  const [base = null] = values
  const rounded = (value: number, digits: number) => {
    const scaled = value * column.factor
    const decimals = digits - 1 - Math.floor(Math.log10(Math.abs(scaled)))
    return { value: Number(scaled.toFixed(Math.min(12, Math.max(0, decimals)))), decimals }
  }
  const isRead = (digits: number) =>
    values.every((value, at) => {
      const change = changes[at] ?? null
      if (base === null || value === null || change === null || base === 0 || value === 0) return true
      const quotient = rounded(value, digits).value / rounded(base, digits).value - 1
      return Math.abs(quotient - change) <= tolerance(change)
    })
  const digits = [3, 4, 5, mostDigits].find(isRead) ?? 3
  if (digits === 3) return plain
  return values.map((value, at) => {
    if (value === null || value === 0) return plain[at] ?? missing
    const { value: shown, decimals } = rounded(value, digits)
    return grouped(shown.toFixed(Math.min(12, Math.max(0, decimals))))
  })
}

/** A duration in everyday words: 3.65 s, 1 min 30 s, 10 min, 1 h 30 min. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return missing
  if (ms < 90_000) return formatMs(ms)
  const wholeSeconds = Math.round(ms / 1_000)
  // Rounded to minutes, 90 s would read as two.
  if (wholeSeconds < 600 && wholeSeconds % 60 !== 0)
    return `${Math.floor(wholeSeconds / 60)}\u00a0min ${wholeSeconds % 60}\u00a0s`
  const minutes = Math.round(ms / 60_000)
  if (minutes < 90) return `${minutes}\u00a0min`
  return `${Math.floor(minutes / 60)}\u00a0h ${minutes % 60}\u00a0min`
}

const steps: readonly (readonly [limitMs: number, unitMs: number, name: string])[] = [
  [3_600_000, 60_000, 'min'],
  [86_400_000, 3_600_000, 'h'],
  [30 * 86_400_000, 86_400_000, 'd'],
]

/** `3 h ago`, up to 30 days; then the date. */
export function formatRelativeTime(at: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(at)
  if (ageMs < 0) return formatDay(at)
  if (ageMs < 60_000) return 'just now'
  const step = steps.find(([limitMs]) => ageMs < limitMs)
  return step ? `${Math.floor(ageMs / step[1])}\u00a0${step[2]} ago` : formatDay(at)
}

/** A commit as named in sentences: long hashes by their first ten characters. */
export const commitWords = (commit: string): string =>
  /^[0-9a-f]{11,40}$/i.test(commit) ? commit.slice(0, 10) : commit

/** Words for a number of things: `1 run`, `7 runs`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `21 Dec`: a day on an axis whose days are all of one year. */
export const formatAxisDay = (at: string): string =>
  `${Number(at.slice(8, 10))} ${months[Number(at.slice(5, 7)) - 1] ?? missing}`

/** `21 Dec 2026`, in UTC: a link may be opened in any time zone. */
export const formatDay = (at: string): string => `${formatAxisDay(at)} ${at.slice(0, 4)}`

/** `21 Dec 2026, 09:41`, in UTC. */
export const formatMoment = (at: string): string => `${formatDay(at)}, ${at.slice(11, 16)}`

/** `21 Dec 2026, 09:41:05 UTC`: a moment to the second, for titles and tables. */
export const formatTime = (at: string): string => `${formatDay(at)}, ${at.slice(11, 19)} UTC`
