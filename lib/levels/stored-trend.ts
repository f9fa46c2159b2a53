import { LRUCache } from 'lru-cache'
import * as z from 'zod'
import { changeOrigins } from './change'
import { detectorVersion } from './sensitivity'
import type { TrendPoint } from './points'
import type { Trend } from './trend'
import type { Metric } from '../run/metrics'
import type { ProfileHead } from '../history/series'
import type { SeriesSummary } from '../history/stored-series'

/** Version of the stored trend: a different detector or format invalidates all of it. */
export const storedTrendVersion = `${detectorVersion}-7`

/** Labels of points that charts show; others are not stored. */
const shownLabels = ['version', 'commit', 'build', 'branch'] as const

const figure = z.number()
const changeSchema = z.object({
  kind: z.enum(['step', 'drift']),
  verdict: z.enum(['better', 'worse', 'changed']),
  before: figure,
  after: figure,
  effectRatio: figure,
  effectLowRatio: figure,
  effectHighRatio: figure,
  afterRunId: z.string(),
  since: z.string(),
  origin: z.enum(changeOrigins).nullable(),
  at: figure,
  beforeRunId: z.string(),
})

/** Columns are space-separated strings, `-` for none: a third of the size of lists, and faster to read. */
const trendSchema = z.object({
  /** The name of the load profile. */
  profile: z.string(),
  /** Milliseconds since the previous point (the first: since 1970), base 36. */
  at: z.string(),
  values: z.string(),
  /** Min and max; empty: no point has more than one run. */
  lows: z.string(),
  highs: z.string(),
  /** Runs of each point; empty: one each. */
  counts: z.string(),
  /** Positions of the points on which guards refuse a verdict. */
  barred: z.string(),
  runIds: z.string(),
  /** By label: its values, and which one each point has. */
  labels: z.record(z.string(), z.object({ values: z.array(z.string()).readonly(), of: z.string() })),
  changes: z.array(changeSchema),
  level: z.object({ from: figure, value: figure, low: figure, high: figure }).nullable(),
  noiseRatio: figure.nullable(),
  visibleRatio: figure.nullable(),
  drift: z.object({ metricId: z.string(), before: figure, after: figure, count: figure, from: figure }).nullable(),
})
type StoredTrend = z.infer<typeof trendSchema>

const column = (values: readonly (number | string | null)[]): string => values.map((one) => one ?? '-').join(' ')
const cellsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(' '))
const numbersOf = (text: string): readonly (number | null)[] =>
  cellsOf(text).map((cell) => (cell === '-' ? null : Number(cell)))

/** The judged load profiles of a series as text. Labels that charts do not show are left out. */
export function packTrends(trends: readonly Trend[]): string {
  return JSON.stringify(trends.map(packTrend))
}

function packTrend({ profile, points, changes, level, noiseRatio, visibleRatio, drift }: Trend): StoredTrend {
  const times = points.map((point) => Date.parse(point.orderedAt))
  const isRepeated = points.some((point) => point.runIds.length > 1)
  return {
    profile: profile.name,
    at: times.map((ms, at) => (ms - (times[at - 1] ?? 0)).toString(36)).join(' '),
    values: column(points.map((point) => point.value)),
    lows: isRepeated ? column(points.map((point) => point.low)) : '',
    highs: isRepeated ? column(points.map((point) => point.high)) : '',
    counts: isRepeated ? column(points.map((point) => point.runIds.length)) : '',
    barred: column(points.flatMap((point, at) => (point.isBarred ? [at] : []))),
    runIds: points.flatMap((point) => point.runIds).join(' '),
    labels: Object.fromEntries(shownLabels.flatMap((key) => packLabel(points, key))),
    changes: [...changes],
    level,
    noiseRatio,
    visibleRatio,
    drift,
  }
}

function packLabel(points: readonly TrendPoint[], key: string) {
  const places = new Map<string, number>()
  const of = points.map(({ labels }) => {
    const value = labels[key]
    if (value === undefined) return null
    const place = places.get(value) ?? places.size
    places.set(value, place)
    return place
  })
  return places.size === 0 ? [] : [[key, { values: [...places.keys()], of: column(of) }] as const]
}

/** Unpacks what `packTrends` packed. Throws when the text is of another version. */
export function unpackTrends(text: string, series: SeriesSummary, metric: Metric): readonly Trend[] {
  return trendsIn(text, `${series.id} ${metric.id}`).map(({ name, ...judged }) => {
    return { profile: { key: `${series.id}|${name}`, series, name }, metric, ...judged }
  })
}

type UnpackedTrend = Omit<Trend, 'profile' | 'metric'> & Pick<ProfileHead, 'name'>

interface Unpacked {
  readonly text: string
  readonly trends: readonly UnpackedTrend[]
}

/** By series and metric, up to 8 million letters, so that an unchanged text is not parsed again. */
const unpacked = new LRUCache<string, Unpacked>({
  maxSize: 8_000_000,
  sizeCalculation: ({ text }) => Math.max(1, text.length),
})

function trendsIn(text: string, key: string): readonly UnpackedTrend[] {
  const known = unpacked.get(key)
  if (known?.text === text) return known.trends
  const trends = z.array(trendSchema).parse(JSON.parse(text)).map(unpackTrend)
  unpacked.set(key, { text, trends })
  return trends
}

function unpackTrend(stored: StoredTrend): UnpackedTrend {
  const { profile, changes, level, noiseRatio, visibleRatio, drift } = stored
  return { name: profile, points: unpackPoints(stored), changes, level, noiseRatio, visibleRatio, drift }
}

function unpackPoints(stored: StoredTrend): readonly TrendPoint[] {
  const values = numbersOf(stored.values)
  const lows = stored.lows === '' ? values : numbersOf(stored.lows)
  const highs = stored.highs === '' ? values : numbersOf(stored.highs)
  const counts = numbersOf(stored.counts)
  const barred = new Set(numbersOf(stored.barred))
  const runIds = cellsOf(stored.runIds)
  const labels = Object.entries(stored.labels).map(([key, { values, of }]) => ({ key, values, of: numbersOf(of) }))
  let [ms, run] = [0, 0]
  return cellsOf(stored.at).map((apart, at): TrendPoint => {
    ms += Number.parseInt(apart, 36)
    const count = counts[at] ?? 1
    const own: Record<string, string> = {}
    for (const { key, values, of } of labels) {
      const value = values[of[at] ?? -1]
      if (value !== undefined) own[key] = value
    }
    return {
      runIds: runIds.slice(run, (run += count)),
      orderedAt: new Date(ms).toISOString(),
      labels: own,
      value: values[at] ?? null,
      low: lows[at] ?? null,
      high: highs[at] ?? null,
      isBarred: barred.has(at),
    }
  })
}
