import { readFile } from 'node:fs/promises'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { alertSettings } from '@/lib/detect/change-points'
import { trackChanges, type TrackedChange } from '@/lib/levels/change-tracker'
import { feedSeries, scoreFeed } from './feed-series'
import { shareServer, type SharedServer } from '../shared-servers'

let app: SharedServer

beforeAll(async () => {
  app = await shareServer('plain')
})

/** The runs at which the detector alone, fed run by run, finds something new. */
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

/**
 * `npm run test:large` sends all ten series; the everyday suite a step, a step with a false alarm that is auto-closed,
 * and noise.
 */
const isWhole = process.env.TAILBOARD_LARGE !== undefined
const everyday = ['online_step_0691', 'online_step_0733', 'online_stationary_0752']
const wanted = isWhole
  ? { runs: 393, changes: 8, found: 8, duplicates: 0, falseAlarms: 1, withdrawn: 1 }
  : { runs: 95, changes: 2, found: 2, duplicates: 0, falseAlarms: 1, withdrawn: 1 }

it('series, run by run through the upload API, raise one alert per change', { timeout: 120_000 }, async () => {
  const all = z
    .array(z.object({ id: z.string(), values: z.array(z.number()), labels: z.array(z.number()) }))
    .length(10)
    .parse(JSON.parse(await readFile('tests/fixtures/change-points/online.json', 'utf8')))
  const series = all.filter(({ id }) => isWhole || everyday.includes(id))
  const alerts = (await Promise.all(series.map((one) => feedSeries(app.url, [one])))).flat()

  const { delays, ...score } = scoreFeed(series, alerts)
  expect(score).toEqual(wanted)
  expect(Math.max(...delays)).toBeLessThanOrEqual(22)
  for (const { id, values } of series) {
    const raisedAt = alerts.filter((alert) => alert.seriesId === id).map((alert) => alert.raisedAt)
    expect(
      raisedAt.sort((a, b) => a - b),
      id,
    ).toEqual(replay(values))
  }
})
