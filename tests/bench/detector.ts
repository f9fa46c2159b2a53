/**
 * `npm run bench:detector -- [seeds] [first seed] [most series]`: the detector alone, run by run, on generated series:
 * changes found (within 5 runs), false alarms, F1 and delay. Needs no server; a seed takes about 25 s.
 */
import { alertSettings } from '../../lib/detect/change-points'
import { trackChanges, type TrackedChange } from '../../lib/levels/change-tracker'
import { noisySeries, type NoisySeries, type SeriesKinds } from './noisy-series'

const [seeds = '2', firstSeed = '1', most = 'Infinity'] = process.argv.slice(2)
const margin = 5
const firstEvaluation = 5

/** For each alert: position of the run that raised it, and of the first run of the new level as reported then. */
function alertsOf(values: readonly number[]): { raisedAt: number; changedAt: number }[] {
  let known: readonly TrackedChange[] = []
  const alerts: { raisedAt: number; changedAt: number }[] = []
  for (let count = firstEvaluation; count <= values.length; count += 1) {
    const tracking = trackChanges(values.slice(0, count), known, alertSettings)
    known = tracking.tracked
    for (const one of tracking.fresh) alerts.push({ raisedAt: count - 1, changedAt: one.change.index })
  }
  return alerts
}

function score(all: readonly NoisySeries[]) {
  const total = { runs: 0, changes: 0, found: 0, falseAlarms: 0 }
  const delays: number[] = []
  const falseByFamily = new Map<string, number>()
  for (const { family, values, changes } of all) {
    const alerts = alertsOf(values)
    const missing = new Set(changes)
    total.runs += values.length
    total.changes += changes.length
    for (const { raisedAt, changedAt } of alerts) {
      const change = [...missing].find((one) => Math.abs(one - changedAt) <= margin)
      if (change === undefined) {
        total.falseAlarms += 1
        falseByFamily.set(family, (falseByFamily.get(family) ?? 0) + 1)
      } else {
        missing.delete(change)
        total.found += 1
        delays.push(raisedAt - change + 1)
      }
    }
  }
  return { ...total, delays: delays.sort((a, b) => a - b), falseByFamily }
}

for (const kinds of ['same', 'other', 'straying'] satisfies SeriesKinds[]) {
  const all = Array.from({ length: Number(seeds) }, (_, at) => noisySeries(kinds, Number(firstSeed) + at))
    .flat()
    .slice(0, Number(most))
  const { runs, changes, found, falseAlarms, delays, falseByFamily } = score(all)
  const at = (share: number) => delays[Math.ceil(delays.length * share) - 1] ?? '–'
  const f1 = (2 * found) / (found + falseAlarms + changes)
  process.stdout.write(
    `${kinds} kinds: ${all.length} series, ${runs} runs; ${found} of ${changes} changes found, ${falseAlarms} false alarms, ` +
      `${((1_000 * falseAlarms) / runs).toFixed(2)} per 1,000 runs, F1 ${f1.toFixed(3)}, delay ${at(0.5)}, ${at(0.9)}\n` +
      `  false alarms by noise: ${[...falseByFamily].map(([family, count]) => `${family} ${count}`).join(', ')}\n`,
  )
}
