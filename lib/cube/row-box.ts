import * as z from 'zod'
import { InvalidInputError } from '../errors'
import { formatMs, formatNumber } from '../format'

/**
 * A rectangle over a run's requests: when they began, ms since the first bin of its timeline, and how long they took. A
 * lower bound is inside, an upper one outside; null: it reaches as far as the requests do.
 */
export interface RowBox {
  readonly fromMs: number | null
  readonly toMs: number | null
  readonly aboveMs: number | null
  readonly belowMs: number | null
}

const bound = (words: string) => z.coerce.number().min(0).max(1e12).optional().describe(words)

/** A box as an address has it. */
export const rowBoxQuery = z.object({
  from: bound('Requests that began this late, seconds since the start of the run’s timeline.'),
  to: bound('And before this, seconds.'),
  above: bound('Requests that took at least this long, ms.'),
  below: bound('And less than this, ms.'),
})

/** Reads the box of an address; null: it names none. Throws ZodError, or InvalidInputError for one that holds nothing. */
export function readRowBox(params: URLSearchParams): RowBox | null {
  const given = Object.fromEntries([...params].filter(([key, value]) => key in rowBoxQuery.shape && value !== ''))
  const { from = null, to = null, above = null, below = null } = rowBoxQuery.parse(given)
  if (Object.keys(given).length === 0) return null
  checkOrder(from, to, 'to', 'The box ends before it begins')
  checkOrder(above, below, 'below', 'No latency is in the box')
  return { fromMs: scaled(from, 1_000), toMs: scaled(to, 1_000), aboveMs: above, belowMs: below }
}

const scaled = (value: number | null, factor: number): number | null =>
  value === null ? null : Number((value * factor).toPrecision(12))

function checkOrder(low: number | null, high: number | null, field: 'to' | 'below', words: string): void {
  const other = field === 'to' ? 'from' : 'above'
  if (high !== null && high <= (low ?? 0))
    throw new InvalidInputError(`${words}: \`${field}\` is not above \`${other}\`.`, { field })
}

/** The bounds of a box as an address has them: seconds and ms; null: open. */
export const rowBoxBounds = ({ fromMs, toMs, aboveMs, belowMs }: RowBox) => ({
  ...{ from: scaled(fromMs, 1e-3), to: scaled(toMs, 1e-3), above: aboveMs, below: belowMs },
})

/** A box in an address: `from=12&to=15&above=80`. */
export const rowBoxParams = (box: RowBox): URLSearchParams =>
  new URLSearchParams(
    Object.entries(rowBoxBounds(box)).flatMap(([key, bound]) => (bound === null ? [] : [[key, String(bound)]])),
  )

/** `37–46 s, 80–420 ms`; of an open end, `from 37 s`, `below 420 ms`. */
export function rowBoxWords({ fromMs, toMs, aboveMs, belowMs }: RowBox): string {
  const times = range(fromMs, toMs, secondsWords, ['from ', 'before '])
  const latencies = range(aboveMs, belowMs, formatMs, ['from ', 'below '])
  return [times, latencies].filter((one) => one !== '').join(', ')
}

/** `12.4 s`; from two minutes on `12 min 5 s`. */
function secondsWords(ms: number): string {
  if (ms < 120_000) return `${formatNumber(ms / 1_000)}\u00a0s`
  const seconds = Math.round(ms / 1_000)
  const rest = seconds % 60
  return `${Math.floor(seconds / 60)}\u00a0min${rest === 0 ? '' : `\u00a0${rest}\u00a0s`}`
}

function range(
  low: number | null,
  high: number | null,
  wordsOf: (ms: number) => string,
  [above, below]: readonly [string, string],
): string {
  const words = (ms: number) => shortened(wordsOf(ms))
  if (low === null) return high === null ? '' : `${below}${words(high)}`
  if (high === null) return `${above}${words(low)}`
  const [one, other] = [words(low), words(high)].map((text) => text.split('\u00a0'))
  const hasUnit = one?.length === 2 && other?.length === 2 && one[1] === other[1]
  return `${hasUnit ? one[0] : words(low)}–${words(high)}`
}

/** `12 s` for `12.0 s`: a bound was chosen, its zeros say nothing. */
function shortened(text: string): string {
  const [number = '', ...rest] = text.split('\u00a0')
  return [number.includes('.') ? String(Number(number)) : number, ...rest].join('\u00a0')
}
