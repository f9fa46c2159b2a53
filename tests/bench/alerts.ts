/**
 * `npm run bench:alerts -- FOLDER [series]`: uploads the online series of a folder of labelled series (`series.csv`,
 * `labels.json`) run by run through the API of a real server on the embedded database, as hey's text, and prints the
 * alerts that exist at the end. Exits with 1 if two alerts report the same change. Needs a build (`npm run build`).
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { startApp } from '../server/app'
import { feedSeries, scoreFeed, type FedAlert, type LabelledSeries } from '../server/feed-series'

const print = (line: string) => process.stdout.write(`${line}\n`)
const [folder, most = '1000'] = process.argv.slice(2)
if (!folder) {
  process.stderr.write('Usage: npm run bench:alerts -- FOLDER [series] (with series.csv and labels.json)\n')
  process.exit(2)
}

const labels = z
  .record(z.string(), z.object({ mode: z.string(), labels: z.array(z.number()) }))
  .parse(JSON.parse(readFileSync(path.join(folder, 'labels.json'), 'utf8')))

const all = readFileSync(path.join(folder, 'series.csv'), 'utf8')
  .split('\n')
  .flatMap((line): LabelledSeries[] => {
    const [id = '', ...cells] = line.trim().split(',')
    const label = labels[id]
    if (label?.mode !== 'online') return []
    return [{ id, values: cells.filter((cell) => cell !== '').map(Number), labels: label.labels }]
  })
  .slice(0, Number(most))

const dataFolder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-bench-'))
const app = await startApp({ dataFolder })
const startedAt = performance.now()
const alerts: FedAlert[] = []
for (const [at, one] of all.entries()) {
  alerts.push(...(await feedSeries(app.url, [one])))
  if ((at + 1) % 10 === 0) process.stderr.write(`${at + 1} of ${all.length} series\n`)
}
const seconds = (performance.now() - startedAt) / 1_000
await app.stop()
rmSync(dataFolder, { recursive: true })

const { runs, changes, found, duplicates, falseAlarms, withdrawn, delays } = scoreFeed(all, alerts)
const at = (share: number) => delays[Math.ceil(delays.length * share) - 1] ?? '–'
const f1 = (2 * found) / (found + falseAlarms + changes)
print(`series ${all.length}, runs ${runs}, true changes ${changes}; ${((1_000 * seconds) / runs).toFixed(0)} ms a run`)
print(`alerts ${alerts.length}: ${found} of a true change, ${duplicates} duplicates, ${falseAlarms} false alarms`)
print(`false alarms per 1,000 runs ${((1_000 * falseAlarms) / runs).toFixed(2)}, ${withdrawn} of them withdrawn`)
print(`F1 ${f1.toFixed(2)}; delay in runs: median ${at(0.5)}, p90 ${at(0.9)}`)
for (const alert of alerts) print(JSON.stringify(alert))
process.exit(duplicates === 0 ? 0 : 1)
