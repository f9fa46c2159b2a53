import { formatCount, missing } from '@/lib/format'

/** A number of requests with its sign: `+378`, `−8`, `0`. */
export const signed = (rows: number): string =>
  rows === 0 ? '0' : `${rows > 0 ? '+' : '−'}${formatCount(Math.abs(rows))}`

/** `61 %` of a difference; a dash where there is none, or the part is larger than it in the other direction. */
export function shareOf(rows: number, difference: number): string {
  if (difference === 0) return missing
  const ratio = rows / difference
  return Math.abs(ratio) > 9.995 ? missing : `${ratio < 0 ? '−' : ''}${Math.round(Math.abs(100 * ratio))}\u00a0%`
}
