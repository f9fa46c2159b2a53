import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type RunningApp } from '../server/app'
import { makeDataFolder } from '../shared-databases'
import type { Violation } from './rules/rules'
import { walkSeed } from './walk'

let app: RunningApp

beforeAll(async () => {
  app = await startApp({ dataFolder: await makeDataFolder(), env: { TAILBOARD_FACTS: 'on' } })
})
afterAll(async () => {
  expect(await app.stop()).toBe(0)
})

/** The effect of a change is of another estimator than its levels; a verdict beyond zero is not yet asked whether it matters. */
const isKnown = ({ rule, key }: Violation): boolean =>
  (rule === 2 && key.startsWith('change ')) || (rule === 4 && key.startsWith('delta '))

// More of them: `npm run test:voice`.
it.each([1, 2])('no two surfaces of history %i contradict each other', async (seed) => {
  const { facts, violations } = await walkSeed(app.url, seed, Date.now())
  expect(facts).toBeGreaterThan(100)
  expect(violations.filter((one) => !isKnown(one))).toEqual([])
})
