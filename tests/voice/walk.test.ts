import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type RunningApp } from '../server/app'
import { makeDataFolder } from '../shared-databases'
import { walkSeed } from './walk'

let app: RunningApp

beforeAll(async () => {
  app = await startApp({ dataFolder: await makeDataFolder(), env: { TAILBOARD_FACTS: 'on' } })
})
afterAll(async () => {
  expect(await app.stop()).toBe(0)
})

// More of them: `npm run test:voice`.
it.each([1, 2])('no two surfaces of history %i contradict each other', async (seed) => {
  const { facts, violations } = await walkSeed(app.url, seed, Date.now())
  expect(facts).toBeGreaterThan(100)
  expect(violations).toEqual([])
})
