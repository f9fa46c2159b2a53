import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { nodeUnpacker } from '@/app/_server/archive/node-unpacker'
import { storedFile } from '@/app/_server/store/folder-store'
import { readUpload } from '@/importers/carriers/read-upload'
import { ImportError } from '@/lib/errors'
import { comparisonDataSchema } from '@/lib/export/comparison-data'
import { proposedNames } from '@/lib/history/proposed-names'
import { runCli } from '../cli/run-cli'
import { bombs } from '../hostile/bombs'
import { floods } from '../hostile/floods'
import { shareServer, type SharedServer } from '../shared-servers'

/** The command line says what the server says. `TAILBOARD_PAIRS=200`: of so many pairs of files. */
const pairCount = Number(process.env['TAILBOARD_PAIRS'] ?? 12)
const isWhole = process.env['TAILBOARD_HOSTILE'] === 'all'
const fixtures = path.join(import.meta.dirname, '../fixtures')
let server: SharedServer
let folder = ''

beforeAll(async () => {
  server = await shareServer('plain')
  folder = await mkdtemp(path.join(os.tmpdir(), 'tailboard-cli-'))
})
afterAll(() => rm(folder, { recursive: true }))

interface Sample {
  /** Relative to the fixtures. */
  readonly name: string
  readonly bytes: Uint8Array
  /** Scenario, variant and environment of its only run. */
  readonly names: string
}

async function filesOf(...floors: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    floors.map(async (floor) => (await readdir(path.join(fixtures, floor))).map((name) => `${floor}/${name}`)),
  )
  return found
    .flat()
    .filter((name) => !/\.(?:expected|truth)\.json$/.test(name))
    .sort()
}

/** The fixtures of one run each. */
async function readSamples(): Promise<readonly Sample[]> {
  const floors = (await readdir(fixtures, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const samples: Sample[] = []
  for (const name of await filesOf(...floors.map((entry) => entry.name))) {
    const bytes = await readFile(path.join(fixtures, name)).catch(() => null)
    if (bytes === null || bytes.length === 0 || bytes.length > 1_000_000) continue
    const file = await read(path.join(fixtures, name), bytes)
    const [run, ...more] = file instanceof ImportError ? [] : file.runs
    if (run === undefined || more.length > 0) continue
    const { scenario, variant, environment } = proposedNames(run, path.basename(name))
    samples.push({ name, bytes, names: JSON.stringify([scenario, variant, environment]) })
  }
  return samples
}

async function read(file: string, bytes: Buffer) {
  const stored = () => Promise.resolve(storedFile(file, bytes.length))
  async function* whole() {
    yield await Promise.resolve(bytes)
  }
  return readUpload(whole(), nodeUnpacker(stored)).catch((error: unknown) => {
    if (error instanceof ImportError) return error
    throw error
  })
}

/** Pairs of files that names tell apart, the same ones each time. */
function pairsOf(samples: readonly Sample[]): readonly (readonly [Sample, Sample])[] {
  const pairs: (readonly [Sample, Sample])[] = []
  for (let at = 0, step = 1; pairs.length < pairCount; at += 7, step = 1 + ((step * 31) % 211)) {
    const [base, head] = [samples[at % samples.length], samples[(at + step) % samples.length]]
    if (base !== undefined && head !== undefined && base.names !== head.names) pairs.push([base, head])
  }
  return pairs
}

const uploaded = z.object({ runs: z.array(z.object({ id: z.string() })).min(1) })

async function send(
  project: string,
  { name, bytes }: Pick<Sample, 'name' | 'bytes'>,
  accept: string,
): Promise<Response> {
  const query = new URLSearchParams({ create: '1', name: path.basename(name) })
  const address = `${server.url}/api/v1/projects/${project}/uploads?${query}`
  return fetch(address, { method: 'POST', body: new Uint8Array(bytes), headers: { accept } })
}

/** A comparison without the ids of runs: those of the server are of its database. */
function withoutIds(text: string) {
  const data = comparisonDataSchema.parse(JSON.parse(text))
  const placeOf = new Map(data.runs.map(({ id }, at) => [id, at]))
  const sides = data.sides.map((side) => ({ ...side, runIds: side.runIds.map((id) => placeOf.get(id)) }))
  return { ...data, sides, runs: data.runs.map((run, at) => ({ ...run, id: at })) }
}

describe('compare', () => {
  it(`gives the comparison of the API for ${pairCount} pairs of files`, async () => {
    const pairs = pairsOf(await readSamples())
    for (const [at, pair] of pairs.entries()) {
      const ids: string[] = []
      for (const one of pair) {
        const { runs } = uploaded.parse(await (await send(`pair-${at}`, one, 'application/json')).json())
        ids.push(runs[0]?.id ?? '')
      }
      const names = pair.map(({ name }) => name)
      const answer = await fetch(`${server.url}/api/v1/projects/pair-${at}/compare/${ids.join('...')}/data.json`)
      const { out, err } = await runCli(['compare', ...names, '--json'], { cwd: fixtures })
      expect(withoutIds(out), names.join(' and ') + err).toEqual(withoutIds(await answer.text()))
    }
  })
})

describe('an error', () => {
  const wordsOf = async (name: string, bytes: Uint8Array) => {
    const file = path.join(folder, 'refused')
    await writeFile(file, bytes)
    const { exit, err } = await runCli(['show', 'refused'], { cwd: folder })
    const response = await send('refused', { name, bytes }, 'text/plain')
    const said = (await response.text()).replace(/ See it at: \S+\n$/, '\n')
    return { exit, status: response.status, err, said }
  }

  it('has the words of the server, for invalid and foreign files', async () => {
    for (const name of await filesOf('invalid', 'foreign')) {
      const { exit, status, err, said } = await wordsOf(name, await readFile(path.join(fixtures, name)))
      if (status !== 422) continue
      expect([exit, err], name).toEqual([2, `refused: ${said}`])
    }
  })

  const hostile = isWhole ? [...bombs, ...floods] : bombs.filter(({ isQuick }) => isQuick === true)
  it.each(hostile)('has the words of the server: $name', async ({ name, make, headers }) => {
    if (headers !== undefined) return
    const { exit, status, err, said } = await wordsOf(name, make())
    // What a thread of the server may take is a limit of the server.
    if (status === 201 || /takes more memory|^Reading it took/.test(said)) return
    expect([exit, err]).toEqual([2, `refused: ${said}`])
  })
})
