import { z } from 'zod'

/** A series of values with the positions (0-based, first of the new level) where its level really changed. */
export interface LabelledSeries {
  readonly id: string
  readonly values: readonly number[]
  readonly labels: readonly number[]
}

/** An alert after the last run. Places are positions of runs in their series. */
export interface FedAlert {
  readonly seriesId: string
  /** The newest run when it was raised. */
  readonly raisedAt: number
  /** First run of the new level. */
  readonly changedAt: number
  readonly isSlower: boolean
  readonly state: string
}

/**
 * What hey prints for a run whose latencies and rate all carry one value: a rise is a slowdown of every latency, a fall
 * is a fall of the rate, so that both directions are for the worse. hey prints seconds with four decimals; a value of
 * 100 is a mean of one second.
 */
export function heyText(value: number): string {
  const seconds = (factor: number) => ((value / 100) * factor).toFixed(4)
  const requests = counts.reduce((sum, count) => sum + count, 0)
  const most = Math.max(...counts)
  return [
    '',
    'Summary:',
    `  Total:\t${(requests / value).toFixed(4)} secs`,
    `  Slowest:\t${seconds(slowest)} secs`,
    `  Fastest:\t${seconds(fastest)} secs`,
    `  Average:\t${seconds(1)} secs`,
    `  Requests/sec:\t${value.toFixed(4)}`,
    '  ',
    `  Total data:\t${requests * 1024} bytes`,
    '  Size/request:\t1024 bytes',
    '',
    'Response time histogram:',
    ...counts.map((count, at) => {
      const upper = ((value / 100) * (fastest + ((slowest - fastest) * at) / (counts.length - 1))).toFixed(3)
      return `  ${upper} [${count}]\t|${'■'.repeat(Math.floor((40 * count) / most))}`
    }),
    '',
    '',
    'Latency distribution:',
    ...percentiles.map(([percent, factor]) => `  ${percent}% in ${seconds(factor)} secs`),
    '',
    'Details (average, fastest, slowest):',
    ...['DNS+dialup', 'DNS-lookup', 'req write', 'resp wait', 'resp read'].map(
      (part) => `  ${part}:\t0.0000 secs, 0.0000 secs, 0.0000 secs`,
    ),
    '',
    'Status code distribution:',
    `  [200]\t${requests} responses`,
    '',
    '',
    '',
  ].join('\n')
}

const fastest = 0.5
const slowest = 2.4
const counts = [1, 15, 38, 45, 35, 22, 14, 10, 8, 7, 5] as const
const percentiles = [
  [10, 0.6],
  [25, 0.75],
  [50, 0.9],
  [75, 1.2],
  [90, 1.4],
  [95, 1.6],
  [99, 2.1],
] as const

const uploadedSchema = z.object({ runs: z.tuple([z.object({ url: z.string() })]) })
const alertsSchema = z.object({
  alerts: z.array(
    z.object({
      id: z.string(),
      state: z.string(),
      raisedRunId: z.string(),
      // None: a slow drift, which starts at no run; it counts as a false alarm, since every label is a step.
      findings: z.array(z.object({ metricId: z.string(), afterRunId: z.string() })),
    }),
  ),
})

/**
 * Uploads one value as a run of its series, and waits until it is judged. Returns the run's id. Throws if it is
 * refused.
 */
async function sendRun(project: string, series: LabelledSeries, at: number): Promise<string> {
  const query = new URLSearchParams({ scenario: series.id, again: '1', gate: '1', format: 'json' })
  query.set('label', `commit=${series.id}-${at}`)
  const answer = await fetch(`${project}/uploads?${query}`, { method: 'PUT', body: heyText(series.values[at] ?? NaN) })
  if (answer.status !== 200 && answer.status !== 422)
    throw new Error(`${series.id}, run ${at}: ${answer.status} ${await answer.text()}`)
  const { runs } = uploadedSchema.parse(await answer.json())
  return runs[0].url.split('/').at(-1) ?? ''
}

/**
 * Feeds series run by run through the upload API of a running server, each in its own project, and returns the alerts
 * that exist at the end. Throws if an upload is refused.
 */
export async function feedSeries(appUrl: string, all: readonly LabelledSeries[]): Promise<readonly FedAlert[]> {
  const fed: FedAlert[] = []
  for (const series of all) {
    const slug = series.id.replaceAll('_', '-')
    await fetch(`${appUrl}/api/v1/projects`, { method: 'POST', body: JSON.stringify({ name: series.id, slug }) })
    const project = `${appUrl}/api/v1/projects/${slug}`
    const placeOf = new Map<string, number>()
    for (let at = 0; at < series.values.length; at += 1) placeOf.set(await sendRun(project, series, at), at)
    const { alerts } = alertsSchema.parse(await (await fetch(`${project}/alerts`)).json())
    for (const { state, raisedRunId, findings } of alerts) {
      const [first] = findings
      fed.push({
        seriesId: series.id,
        raisedAt: placeOf.get(raisedRunId) ?? NaN,
        changedAt: placeOf.get(first?.afterRunId ?? '') ?? NaN,
        isSlower: findings.some((finding) => finding.metricId === 'mean'),
        state,
      })
    }
  }
  return fed
}

/** Scores alerts against labels. Delays count runs of the new level, including the one that raised the alert. */
export interface FeedScore {
  readonly runs: number
  readonly changes: number
  readonly found: number
  /** Alerts for a change that another alert already reports. */
  readonly duplicates: number
  /** Alerts for no change; `withdrawn`: those of them that closed automatically. */
  readonly falseAlarms: number
  readonly withdrawn: number
  readonly delays: readonly number[]
}

/** How many runs a change may be away from its label. */
const margin = 5

/** Matches alerts with labels, one to one, nearest first. */
export function scoreFeed(all: readonly LabelledSeries[], alerts: readonly FedAlert[]): FeedScore {
  const score = { runs: 0, changes: 0, found: 0, duplicates: 0, falseAlarms: 0, withdrawn: 0 }
  const delays: number[] = []
  for (const { id, values, labels } of all) {
    score.runs += values.length
    score.changes += labels.length
    const told = new Set<number>()
    const own = alerts.filter((alert) => alert.seriesId === id)
    const gapOf = (alert: FedAlert) => Math.min(...labels.map((label) => Math.abs(label - alert.changedAt)))
    for (const alert of [...own].sort((a, b) => gapOf(a) - gapOf(b) || a.raisedAt - b.raisedAt)) {
      const near = labels.filter((label) => Math.abs(label - alert.changedAt) <= margin)
      const label = near.find((one) => !told.has(one))
      if (label !== undefined) {
        told.add(label)
        score.found += 1
        delays.push(alert.raisedAt - label + 1)
      } else if (near.length > 0) score.duplicates += 1
      else {
        score.falseAlarms += 1
        if (alert.state === 'withdrawn') score.withdrawn += 1
        // Two false alarms at one position are a duplicate, too.
        const before = own.slice(0, own.indexOf(alert)).filter((other) => gapOf(other) > margin)
        if (before.some((other) => Math.abs(other.changedAt - alert.changedAt) <= margin)) score.duplicates += 1
      }
    }
  }
  return { ...score, delays: delays.sort((a, b) => a - b) }
}
