/** `npm run --silent predict -- FOLDER`: the detector's output for labelled series, as JSON for the folder's scorer. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { alertSettings, findChangePoints, historySettings } from '../lib/detect/change-points'
import { trackChanges, type TrackedChange } from '../lib/levels/change-tracker'

const folder = process.argv[2]
if (!folder) {
  process.stderr.write('Usage: npm run --silent predict -- FOLDER (with series.csv and labels.json)\n')
  process.exit(2)
}

/** For a longer history, only the newest runs are evaluated. */
const LONGEST_HISTORY = 800
const FIRST_EVALUATION = 5

const labels = z
  .record(z.string(), z.object({ mode: z.enum(['offline', 'online']) }))
  .parse(JSON.parse(readFileSync(path.join(folder, 'labels.json'), 'utf8')))

function offline(values: readonly number[]): number[] {
  const settings = values.length > LONGEST_HISTORY ? { ...historySettings, window: 400 } : historySettings
  return findChangePoints(values, settings)
    .filter((change) => change.kind === 'step')
    .map((change) => change.index)
}

/** Run by run from the fifth on: each alert with the run that raised it. */
function online(values: readonly number[]): { t: number; index: number }[] {
  let known: readonly TrackedChange[] = []
  const alerts: { t: number; index: number }[] = []
  for (let count = FIRST_EVALUATION; count <= values.length; count += 1) {
    const tracking = trackChanges(values.slice(0, count), known, alertSettings)
    known = tracking.tracked
    for (const one of tracking.fresh) alerts.push({ t: count - 1, index: one.change.index })
  }
  return alerts
}

const predictions: Record<string, unknown> = {}
for (const line of readFileSync(path.join(folder, 'series.csv'), 'utf8').split('\n')) {
  const [id, ...cells] = line.trim().split(',')
  const mode = id ? labels[id]?.mode : undefined
  if (!id || !mode) continue
  const values = cells.filter((cell) => cell !== '').map(Number)
  predictions[id] = mode === 'offline' ? offline(values) : online(values)
}
process.stdout.write(`${JSON.stringify(predictions)}\n`)
