import { msPerUnit } from '@/lib/run/units'
import { UsageError } from '../usage'

/** `5%`, `0.5 %` as a ratio above 0. Throws UsageError, which names the option. */
export function readPercent(option: string, text: string): number {
  const [, number] = /^(\d+(?:\.\d+)?) ?%$/.exec(text.trim()) ?? []
  const ratio = Number(number) / 100
  if (!(ratio > 0)) throw new UsageError(`--${option} takes a share such as 5%, not ${text}`)
  return ratio
}

/** `2s`, `500ms`, `5m` in milliseconds. Throws UsageError. */
export function readTime(option: string, text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim()) ?? []
  if (unit !== 'ms' && unit !== 's' && unit !== 'm' && unit !== 'h')
    throw new UsageError(`--${option} takes a time such as 2s or 5m, not ${text}`)
  return Number(number) * msPerUnit[unit]
}

/** A whole number of at least `min`. Throws UsageError. */
export function readCount(option: string, text: string, min: number): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || count < min || count > 100_000)
    throw new UsageError(`--${option} takes a number from ${min} on, not ${text}`)
  return count
}
