import path from 'node:path'
import { findMetric, type Metric } from '@/lib/run/metrics'
import { msPerUnit } from '@/lib/run/units'
import type { Terminal } from '../terminal'
import { UsageError } from '../usage'
import { numberedFolders } from './experiment-folder'

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

/** A metric that can be better or worse. Throws UsageError for another, or none. */
export function readDeciding(id: string): Deciding {
  const metric = findMetric(id)
  if (metric === null) throw new UsageError(`no metric is called ${id}`)
  const { direction } = metric
  if (direction === 'neutral') throw new UsageError(`${metric.shortLabel} is neither better nor worse`)
  return { metric, direction }
}
interface Deciding {
  readonly metric: Metric
  readonly direction: 'lower-is-better' | 'higher-is-better'
}

/** Where results go: the folder of `--out`, or the next `stem-N`. */
export async function freshPlace(out: string | undefined, stem: string, { cwd }: Terminal): Promise<string> {
  return out === undefined ? (await numberedFolders(cwd, stem)).fresh : path.resolve(cwd, out)
}

/** Where results are: the folder of `--out`, or the newest `stem-N`. Throws UsageError if there is none. */
export async function knownPlace(out: string | undefined, stem: string, { cwd }: Terminal): Promise<string> {
  const place = out === undefined ? (await numberedFolders(cwd, stem)).newest : path.resolve(cwd, out)
  if (place === null) throw new UsageError(`there is no ${stem}-1 here; --out names a folder`)
  return place
}
