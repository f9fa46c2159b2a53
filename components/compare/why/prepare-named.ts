import type { Curve, NamedCurves } from '@/lib/explain/named-curves'
import type { NamedLimit } from '@/lib/run/limits'
import type { Latency } from '@/lib/run/run'
import type { Tool } from '@/lib/run/tools'
import { preparePercentiles, type PreparedPercentiles } from '../../charts/percentiles'
import type { PlottedRun } from '../../charts/plotted-run'

interface Options {
  readonly id: string
  readonly tool: Tool
  readonly limits: readonly NamedLimit[]
}

/** The percentiles of some requests on both sides as a plot; null: there are too few. */
export function prepareNamed({ title, base, head }: NamedCurves, options: Options): PreparedPercentiles | null {
  const { id, tool, limits } = options
  const runs = [plotted('baseline', base, 0, tool), plotted('candidate', head, 1, tool)].flatMap((one) => one ?? [])
  const prepared = preparePercentiles(runs, limits)
  if (prepared === null) return null
  const unit = prepared.plot.title.replace(/^.*(?= \()/, '')
  return { ...prepared, plot: { ...prepared.plot, id, title: `${title}${unit}` } }
}

function plotted(name: string, curve: Curve | null, styleIndex: number, tool: Tool): PlottedRun | null {
  if (curve === null) return null
  const latency: Latency = {
    ...{ of: 'all', count: curve.rows, minMs: null, meanMs: null, stdDevMs: null, maxMs: null },
    ...{ withinOneStdDevRatio: null, histogram: null, origin: 'samples', method: 'as-reported' },
    quantiles: curve.points,
  }
  return { id: name, name, styleIndex, imported: { tool, requests: curve.rows, latencies: [latency] } }
}
