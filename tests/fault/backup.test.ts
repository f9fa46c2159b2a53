import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readEntries } from '@/app/_server/backup/read-backup'
import { closeDatabase, databasePool, openDatabase } from '@/prisma/db'
import { startPostgres } from '../postgres'
import { startApp, type RunningApp } from '../server/app'
import { makeDataFolder } from '../shared-databases'

/** `npm run test:faults` sets 1,000. */
const runs = Number(process.env.TAILBOARD_BACKUP_RUNS ?? 100)
const postgres = await startPostgres()
const document = await readFile('tests/fixtures/documents/smithy-wrk.md', 'utf8')

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tailboard-backup-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  if (postgres.kind === 'running') await postgres.stop()
})

/** `npm run backup` or `restore`: its exit code and what it printed. */
async function command(name: 'backup' | 'restore', file: string, dataFolder: string, databaseUrl?: string) {
  const { DATABASE_URL: _outer, ...outer } = process.env
  const env = {
    ...outer,
    TAILBOARD_DATA: dataFolder,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', `scripts/${name}.ts`, file], {
      env,
    })
    return { code: 0, output: stdout }
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string }
    return { code, output: stderr }
  }
}

const pageSchema = z.object({
  rows: z.array(z.object({ id: z.string(), uploadId: z.string() })),
  nextCursor: z.string().nullable(),
})
const projectsSchema = z.array(z.object({ slug: z.string() }))

/** SHA-256 of every answer of the API about what is stored, by its address. */
async function answersOf(app: RunningApp): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>()
  const read = async (address: string) => {
    const answer = await fetch(app.url + address, { headers: { accept: 'application/json' } })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.status, address).toBe(200)
    answers.set(address, createHash('sha256').update(bytes).digest('hex'))
    return bytes.toString('utf8')
  }
  const listed: unknown = JSON.parse(await read('/api/v1/projects'))
  const projects = projectsSchema.parse(Array.isArray(listed) ? listed : (listed as { projects: unknown }).projects)
  for (const { slug } of projects) {
    const base = `/api/v1/projects/${slug}`
    for (const more of ['', '/rules', '/alerts', '/annotations', '/channels', '/trash', '/shares', '/runs.csv'])
      await read(base + more)
    const uploads = new Set<string>()
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: z.infer<typeof pageSchema> = pageSchema.parse(
        JSON.parse(await read(`${base}/runs?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)),
      )
      for (const { id, uploadId } of page.rows) {
        uploads.add(uploadId)
        await read(`${base}/runs/${id}`)
      }
      cursor = page.nextCursor
    }
    for (const id of uploads) {
      await read(`${base}/uploads/${id}`)
      await read(`${base}/uploads/${id}/raw`)
    }
  }
  return answers
}

describe.skipIf(postgres.kind === 'missing')('a backup', { timeout: 1_800_000 }, () => {
  it('made while the server runs gives every answer again on the other database, and back', async () => {
    if (postgres.kind === 'missing') return
    const dataFolder = await makeDataFolder()
    const file = path.join(folder, 'one.tar')
    let app = await startApp({ dataFolder })
    const made = { method: 'POST', body: JSON.stringify({ name: 'kept' }) }
    expect((await fetch(`${app.url}/api/v1/projects`, made)).status).toBe(201)
    for (let sent = 0; sent < runs / 2; sent += 1) {
      const body = `${document}\n<!-- ${sent} -->\n`
      const answer = await fetch(`${app.url}/api/v1/projects/kept/uploads?commit=${sent}`, { method: 'PUT', body })
      expect(answer.status).toBe(201)
    }
    // What is said of runs settles in the background.
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    expect(await command('backup', file, dataFolder)).toMatchObject({ code: 0 })
    const before = await answersOf(app)
    expect(await app.stop()).toBe(0)

    const databaseUrl = await postgres.createDatabase()
    const second = path.join(folder, 'on-postgres')
    expect(await command('restore', file, second, databaseUrl)).toMatchObject({ code: 0 })
    app = await startApp({ dataFolder: second, databaseUrl })
    expect(await answersOf(app)).toEqual(before)
    const back = path.join(folder, 'two.tar')
    expect(await command('backup', back, second, databaseUrl)).toMatchObject({ code: 0 })
    expect(await app.stop()).toBe(0)

    const third = path.join(folder, 'back-again')
    expect(await command('restore', back, third)).toMatchObject({ code: 0 })
    app = await startApp({ dataFolder: third })
    expect(await answersOf(app)).toEqual(before)
    expect(await app.stop()).toBe(0)
    process.stdout.write(
      `${runs} runs from the embedded database to PostgreSQL and back: ${before.size} answers equal\n`,
    )

    expect(await command('restore', file, third)).toMatchObject({ code: 78, output: expect.stringContaining('empty') })
    expect(await command('restore', file, path.join(folder, 'fresh'), databaseUrl)).toMatchObject({
      code: 78,
      output: expect.stringContaining('the database has rows in'),
    })
    await rm(dataFolder, { recursive: true, force: true })
  })

  it('that was cut or changed anywhere is refused before anything is written', async () => {
    const file = path.join(folder, 'one.tar')
    const bytes = await readFile(file)
    const bad = path.join(folder, 'bad.tar')
    const target = path.join(folder, 'nothing')
    for (const place of [0.1, 0.4, 0.7, 0.95]) {
      const at = Math.floor(bytes.length * place)
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      for (const damaged of [changed, bytes.subarray(0, at)]) {
        await writeFile(bad, damaged)
        const { code, output } = await command('restore', bad, target)
        // A bit in the padding between entries belongs to none of them.
        if (code === 0) await rm(target, { recursive: true })
        else expect(output).toMatch(/damaged|cannot be read|is cut/)
        if (damaged.length < bytes.length) expect(code).toBe(78)
      }
    }
  })

  it('holds every table that the schema has', async () => {
    const dataFolder = await makeDataFolder()
    await openDatabase({ dataFolder })
    const { rows } = await databasePool().query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    )
    await closeDatabase()
    await rm(dataFolder, { recursive: true, force: true })
    const backedUp = new Set<string>()
    for await (const { name } of readEntries(path.join(folder, 'one.tar')))
      if (name.startsWith('tables/')) backedUp.add(/^tables\/\d+-(.*)\.ndjson$/.exec(name)?.[1] ?? name)
    expect([...backedUp, '_prisma_migrations'].toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  })
})
