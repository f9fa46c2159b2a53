import { formatDay } from '@/lib/format'

/** Days that the history of an environment shows; null: all that is read. */
export const spans = [14, 60, null] as const
export type Span = (typeof spans)[number]

const defaultSpan: Span = 60

/** The days in an address; anything else: 60. */
export function readSpan(days: string | readonly string[] | undefined): Span {
  const [text] = [days].flat()
  if (text === 'all') return null
  return spans.find((span) => String(span) === text) ?? defaultSpan
}

/** What leads to these days. */
export const spanSearch = (span: Span): string => (span === defaultSpan ? '' : `?days=${span ?? 'all'}`)

export const spanWords = (span: Span): string => (span === null ? 'All' : `${span} days`)

/** When that many days before this time began; s. */
export const beginOf = (span: Span, newest: number): number => (span === null ? 0 : newest - span * 86_400)

/** `2,339 runs since 9 Nov 2026`. */
export const sinceDay = (seconds: number): string => formatDay(new Date(seconds * 1000).toISOString())

/** A series within its environment: `GET /cart › gzip`. */
export const nameOf = (scenario: string, variant: string | null): string =>
  [scenario, variant].filter((part) => part !== null).join(' › ')
