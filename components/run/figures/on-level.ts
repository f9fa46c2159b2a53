import { formatPercent } from '@/lib/format'
import type { StoredRun } from '@/lib/history/stored-runs'
import { metrics } from '@/lib/run/metrics'
import { prepareOnLevel, reachOf, type OnLevelInput } from '../../charts/bullet'
import type { Bullet } from '../../charts/plot/rows/bullet'
import { bulletInputOf } from './run-figures'

/** Figures of a run on one axis: each by its distance from its level. */
export interface OnLevel {
  /** By metric id; a figure without a level other than 0 has none. */
  readonly bullets: ReadonlyMap<string, Bullet>
  /** Words below the ends of the axis: `−10 %`. */
  readonly ends: readonly [from: string, to: string]
}

/** Prepares the figures of a run beside earlier ones, which are drawn as ticks; null: none has a level. */
export function prepareFiguresOnLevel(run: StoredRun, others: readonly Pick<StoredRun, 'figures'>[]): OnLevel | null {
  const inputs = metrics.flatMap((metric): readonly (readonly [string, OnLevelInput])[] => {
    const input = metric.unit === 'ratio' ? null : bulletInputOf(run, metric)
    if (input === null || input.level === null || !(input.level > 0)) return []
    const values = others.flatMap(({ figures }) => metric.read(figures) ?? [])
    return [[metric.id, { ...input, level: input.level, others: values }]]
  })
  if (inputs.length === 0) return null
  const reach = reachOf(inputs.map(([, input]) => input))
  const bullets = new Map(inputs.map(([id, input]) => [id, prepareOnLevel(input, reach)]))
  return { bullets, ends: [`−${formatPercent(reach)}`, `+${formatPercent(reach)}`] }
}
