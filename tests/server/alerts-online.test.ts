import { readFile, rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { alertSettings } from '@/lib/detect/change-points'
import { trackChanges, type TrackedChange } from '@/lib/detect/change-tracker'
import { makeDataFolder } from '../shared-databases'
import { startApp, type RunningApp } from './app'
import { feedSeries, scoreFeed } from './feed-series'

let app: RunningApp
let folder: string

beforeAll(async () => {
  folder = await makeDataFolder()
  app = await startApp({ dataFolder: folder })
})
afterAll(async () => {
  expect(await app.stop()).toBe(0)
  await rm(folder, { recursive: true })
})

/** The runs at which the detector alone, fed run by run, sees something new. */
function replay(values: readonly number[]): readonly number[] {
  let known: readonly TrackedChange[] = []
  const seenAt: number[] = []
  for (let count = 5; count <= values.length; count += 1) {
    const tracking = trackChanges(values.slice(0, count), known, alertSettings)
    known = tracking.tracked
    seenAt.push(...tracking.fresh.map(() => count - 1))
  }
  return seenAt
}

it('ten series, run by run through the upload API, raise one alert for each change', { timeout: 120_000 }, async () => {
  const series = z
    .array(z.object({ id: z.string(), values: z.array(z.number()), labels: z.array(z.number()) }))
    .length(10)
    .parse(JSON.parse(await readFile('tests/fixtures/change-points/online.json', 'utf8')))
  const alerts = (await Promise.all(series.map((one) => feedSeries(app.url, [one])))).flat()

  const { delays, ...score } = scoreFeed(series, alerts)
  expect(score).toEqual({ runs: 393, changes: 8, found: 8, duplicates: 0, falseAlarms: 1, withdrawn: 1 })
  expect(Math.max(...delays)).toBeLessThanOrEqual(22)
  for (const { id, values } of series) {
    const raisedAt = alerts.filter((alert) => alert.seriesId === id).map((alert) => alert.raisedAt)
    expect(
      raisedAt.sort((a, b) => a - b),
      id,
    ).toEqual(replay(values))
  }
})
