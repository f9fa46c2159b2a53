import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startPostgres } from '../postgres'
import { makeDataFolder } from '../shared-databases'
import { startApp, type RunningApp } from '../server/app'
import { variedUpload } from './varied-uploads'
import { walkApi } from './walk-api'

/** `npm run test:faults` sets it. */
const isWhole = process.env.TAILBOARD_KILLS !== undefined
/** A few can be requested: `TAILBOARD_MOVED_RUNS=12`. */
const wantedRuns = Number(process.env.TAILBOARD_MOVED_RUNS ?? (isWhole ? 1_000 : 0))
/** Of the sample data too. */
const isWanted = (slug: string) => isWhole || slug.startsWith('moved-')
const postgres = await startPostgres()
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tailboard-moves-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  if (postgres.kind === 'running') await postgres.stop()
})

const savedSchema = z.object({ runs: z.array(z.object({ id: z.string() })).min(1) })

/** Runs in many forms in three projects, with a rule, annotations, a comparison and a share in each. */
async function fillWith(app: RunningApp, runs: number): Promise<void> {
  const byProject = new Map<string, string[]>()
  for (let number = 1, made = 0; made < runs; number += 1) {
    const { name, body } = variedUpload(number)
    const slug = `moved-${number % 3}`
    const response = await fetch(
      `${app.url}/api/v1/projects/${slug}/uploads?create=1&name=${name}&label=commit=c${number % 9}&scenario=s${number % 17}`,
      { method: 'PUT', body: new Uint8Array(body), headers: { accept: 'application/json' } },
    )
    expect(response.status).toBe(201)
    const saved = savedSchema.parse(await response.json())
    byProject.set(slug, [...(byProject.get(slug) ?? []), ...saved.runs.map(({ id }) => id)])
    made += saved.runs.length
  }
  for (const [slug, ids] of byProject) {
    const post = async (place: string, body: unknown) => {
      const sent = await fetch(`${app.url}/api/v1/projects/${slug}/${place}`, {
        method: 'POST',
        body: JSON.stringify(body),
      })
      expect([place, sent.status, sent.ok ? '' : await sent.text()]).toEqual([place, 201, ''])
    }
    await post('annotations', { text: 'deploy ü "x"', kind: 'deploy', at: '2026-11-20T10:00:00Z' })
    await post('shares', { name: 'Two', kind: 'run', sides: [[ids[0]]], includeRaw: true, embeddable: true })
    await fetch(`${app.url}/api/v1/projects/${slug}/runs/${ids[0] ?? ''}`, {
      method: 'PATCH',
      body: JSON.stringify({ notes: '**bold** \u{1f680}', labels: { team: 'søk' } }),
    })
  }
}

/** Its background work after uploads is finished: two walks in a row are equal. */
async function walkWhenQuiet(app: RunningApp): Promise<ReadonlyMap<string, string>> {
  let before = await walkApi(app, isWanted)
  for (const deadline = Date.now() + 240_000; ;) {
    await sleep(2_000)
    const now = await walkApi(app, isWanted)
    const changed = [...now].filter(([address, said]) => before.get(address) !== said)
    if (changed.length === 0 && now.size === before.size) return now
    if (Date.now() > deadline)
      throw new Error(
        `still changing: ${changed
          .slice(0, 5)
          .map(([a, said]) => `${a}\n${before.get(a) ?? ''}\n${said}`)
          .join('\n')}`,
      )
    before = now
  }
}

const script = (name: string, file: string, dataFolder: string, databaseUrl: string | null) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', `scripts/data/${name}.ts`, file], {
    env: { ...process.env, TAILBOARD_DATA: dataFolder, DATABASE_URL: databaseUrl ?? '' },
  })

describe.skipIf(postgres.kind === 'missing' || wantedRuns === 0)(
  'a backup, restored to the other database',
  { timeout: 1_800_000 },
  () => {
    it(`of ${wantedRuns} runs responds to every API request as before`, async () => {
      if (postgres.kind === 'missing') return
      const startedAt = performance.now()
      const places = [
        { dataFolder: await makeDataFolder(), databaseUrl: null },
        { dataFolder: path.join(folder, 'second'), databaseUrl: await postgres.createDatabase('empty') },
        ...(isWhole ? [{ dataFolder: path.join(folder, 'third'), databaseUrl: null }] : []),
      ]
      let wanted: ReadonlyMap<string, string> | null = null
      for (const [at, { dataFolder, databaseUrl }] of places.entries()) {
        if (at > 0) await script('restore', path.join(folder, `${at - 1}.tar`), dataFolder, databaseUrl)
        const app = await startApp({ dataFolder, databaseUrl: databaseUrl ?? undefined })
        try {
          if (wanted === null) {
            await fillWith(app, wantedRuns)
            wanted = await walkWhenQuiet(app)
          } else {
            const found = await walkApi(app, isWanted)
            const differing = [...wanted].filter(([address, said]) => found.get(address) !== said)
            expect(differing.slice(0, 5).map(([address, said]) => [address, said, found.get(address)])).toEqual([])
            expect(found.size).toBe(wanted.size)
          }
          await script('backup', path.join(folder, `${at}.tar`), dataFolder, databaseUrl)
        } finally {
          await app.stop()
        }
      }
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
      process.stdout.write(
        `${wantedRuns} runs, ${places.length - 1} times restored on the other database: ${wanted?.size ?? 0} answers of the API, 0 differ, ${seconds} s\n`,
      )
      expect(wanted?.size).toBeGreaterThan(wantedRuns * 4)
    })
  },
)
