import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { makeDataFolder } from '../shared-databases'
import { startApp, type RunningApp } from './app'
import { plantedHistory } from './planted-history'

let app: RunningApp
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tailboard-rounds-'))
  app = await startApp({ dataFolder: await makeDataFolder() })
  await fetch(`${app.url}/api/v1/projects`, {
    method: 'POST',
    body: JSON.stringify({ name: 'Rounds', slug: 'rounds' }),
  })
})
afterAll(async () => {
  expect(await app.stop()).toBe(0)
  await rm(folder, { recursive: true })
})

const rowsSchema = z.object({
  rows: z.array(
    z.looseObject({
      scenario: z.string(),
      variant: z.string(),
      startedAt: z.string(),
      labels: z.looseObject({ round: z.string(), rounds: z.string(), experiment: z.string() }),
    }),
  ),
})

it('docs/rounds.sh runs two commands in turn and uploads each output with its round', async () => {
  const files = await Promise.all(
    plantedHistory()
      .slice(0, 2)
      .map(async ({ body }, at) => {
        const file = path.join(folder, `${at}.txt`)
        await writeFile(file, body)
        return file
      }),
  )
  const project = `${app.url}/api/v1/projects/rounds`
  const env = { ...process.env, TAILBOARD: project, SCENARIO: 'GET /checkout & more' }
  const [one = '', two = ''] = files.map((file) => `cat ${file}`)
  await promisify(execFile)(path.resolve('docs/rounds.sh'), ['3', 'main', one, 'new branch', two], { env })
  const { rows } = rowsSchema.parse(await (await fetch(`${project}/runs`)).json())
  expect(rows.map(({ labels, variant }) => `${labels.round} ${variant}`).sort()).toEqual(
    ['1', '2', '3'].flatMap((round) => [`${round} main`, `${round} new branch`]),
  )
  expect(new Set(rows.map(({ labels }) => labels.experiment)).size).toBe(1)
  expect(rows.every(({ scenario, labels }) => scenario === 'GET /checkout & more' && labels.rounds === '3')).toBe(true)
})

it('stops at a command that cannot be read', async () => {
  const env = { ...process.env, TAILBOARD: `${app.url}/api/v1/projects/rounds` }
  const ran = promisify(execFile)(path.resolve('docs/rounds.sh'), ['2', 'a', 'echo nothing', 'b', 'echo nothing'], {
    env,
  })
  await expect(ran).rejects.toMatchObject({ code: 22 })
})
