import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDataFolder } from '../shared-databases'
import { startFactsServer, type FactsServer } from './facts-server'
import { walkSeed } from './walk'

let server: FactsServer

beforeAll(async () => {
  server = await startFactsServer(await makeDataFolder())
})
afterAll(async () => {
  expect(await server.stop()).toBe(0)
})

// Between them they have each shape but a noisy one, each printer, rounds, a rule and a shift of the environment, in few
// runs. More of them: `npm run test:voice`.
it.each([1, 6, 11])('no two surfaces of history %i contradict each other', async (seed) => {
  const { facts, violations } = await walkSeed(server, seed, Date.now())
  expect(facts).toBeGreaterThan(100)
  expect(violations).toEqual([])
})
