import * as hdr from 'hdr-histogram-js'
import { findingsOf } from '../../lib/judge/findings'
import type { ImportedFile, ImportedRun, LatencyHistogram } from '../../lib/run/run'

/** Contradictions in a file that it does not report itself: silent misreads. Empty: none. */
export function contradictionsIn(file: ImportedFile): readonly string[] {
  return file.runs.flatMap((run, at) => {
    const said = findingsOf(run).some((finding) => finding.severity === 'inconsistent') || run.warnings.length > 0
    const hard = [...strangeNumbers(run, 'run'), ...timelineOf(run)]
    const soft = said ? [] : [...orderOf(run), ...sumsOf(run), ...rateOf(run)]
    const untold =
      run.complete || file.problems.some((problem) => problem.severity === 'error')
        ? []
        : ['truncated, but no problem says so']
    return [...hard, ...soft, ...untold].map((one) => `run ${at}: ${one}`)
  })
}

const shares = new Set(['successRatio', 'withinOneStdDevRatio'])
/** By how much a run ends before it starts, as its warning says: the only number below 0. */
const mayBeNegative = /\.warnings\.\d+\.numbers\.shortestMs$/
function strangeNumbers(value: unknown, path: string): string[] {
  if (typeof value === 'number') {
    const name = path.split('.').at(-1) ?? ''
    if (!Number.isFinite(value)) return [`${path} is ${value}`]
    if (shares.has(name) && (value < 0 || value > 1)) return [`${path} is ${value}`]
    return value < 0 && !path.includes('context') && !mayBeNegative.test(path) ? [`${path} is ${value}`] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => strangeNumbers(one, `${path}.${key}`))
}

function orderOf({ latencies, tool }: ImportedRun): string[] {
  return latencies.flatMap(({ quantiles, maxMs, minMs, of }) => {
    const rising = quantiles.every(({ ms, q }, at) => {
      const before = quantiles[at - 1]
      return before === undefined || (before.q < q && before.ms <= ms * 1.01)
    })
    const top = quantiles.at(-1)?.ms
    // wrk corrects values, and Locust rounds those behind its percentiles.
    const isOver =
      !['wrk', 'wrk2', 'locust'].includes(tool) && maxMs !== null && top !== undefined && top > maxMs * 1.01
    return [
      ...(rising ? [] : [`${of}: quantiles out of order`]),
      ...(isOver ? [`${of}: a quantile above the maximum`] : []),
      ...(minMs !== null && maxMs !== null && minMs > maxMs * 1.01 ? [`${of}: minimum above maximum`] : []),
    ]
  })
}

function sumsOf(run: ImportedRun): string[] {
  const sums = run.latencies.flatMap(({ histogram, count, of, origin }) => {
    if (histogram === null || count === null || origin === 'summary') return []
    const counted = countOf(histogram)
    return counted === count ? [] : [`${of}: histogram of ${counted}, count ${count}`]
  })
  const codes = Object.values(run.statusCodes)
  const answered = codes.reduce((sum, count) => sum + count, 0)
  const tooMany = run.requests !== null && codes.length > 0 && answered > run.requests
  return [...sums, ...(tooMany ? [`${answered} status codes of ${run.requests} requests`] : [])]
}

function rateOf(run: ImportedRun): string[] {
  const timeMs = run.tool === 'vegeta' ? run.attackMs : run.durationMs
  if (!run.requests || run.requests < 20 || !timeMs || run.requestsPerSecond === null) return []
  const perSecond = (run.requests / timeMs) * 1_000
  const isOff = Math.abs(run.requestsPerSecond / perSecond - 1) > 0.1 + 0.1 / timeMs
  return isOff ? [`${run.requestsPerSecond}/s, but ${run.requests} requests in ${timeMs} ms`] : []
}

function timelineOf({ timeline, latencies }: ImportedRun): string[] {
  if (timeline === null) return []
  const sum = timeline.requests.reduce((total, count) => total + count, 0)
  const count = latencies.find(({ of }) => of === 'all')?.count ?? latencies[0]?.count ?? null
  return count === null || sum === count ? [] : [`timeline of ${sum}, count ${count}`]
}

/** All values in a histogram, as counted by the library that reads it elsewhere. */
function countOf(histogram: LatencyHistogram): number {
  if (histogram.kind === 'buckets') return histogram.buckets.reduce((sum, bucket) => sum + bucket.count, 0)
  return hdr.decodeFromCompressedBase64(histogram.v2Base64).totalCount
}
