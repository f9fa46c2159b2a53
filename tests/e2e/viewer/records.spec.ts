import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { inflateSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { readInput } from '@/cli/read-files'
import { errorLine, errorSentence } from '@/lib/error-words'
import { ImportError } from '@/lib/errors'
import type { Said } from '@/viewer/reader'
import { terminalOf } from '../../cli/run-cli'
import { expect, test } from '../page'

/** Folders of which all files are read, for `npm run test:records` those of the fixtures; else a sample of these is. */
const folders = (process.env['TAILBOARD_RECORDS'] ?? '').split(path.delimiter).filter((one) => one !== '')
const sampleStep = 25
const maxFileBytes = 8e6
const batchSize = 40
/** The page shows no more, so its thread hands over no more. */
const maxShownRuns = 400

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => !/\.(?:expected|truth)\.json$/.test(file) && statSync(file).isFile())
    .filter((file) => statSync(file).size <= maxFileBytes)
    .sort()
}

const files =
  folders.length > 0
    ? folders.flatMap(filesBelow)
    : filesBelow('tests/fixtures').filter((_, at) => at % sampleStep === 0)

/**
 * What is said of a file, with the keys of each record in one order: equal texts are equal byte for byte. Histograms are
 * inflated: each system's zlib deflates the same bytes in its own way.
 */
const textOf = (said: unknown): string =>
  JSON.stringify(said, (key, value: unknown) => {
    if (key === 'v2Base64' && typeof value === 'string')
      return inflateSync(Buffer.from(value, 'base64').subarray(8)).toString('base64')
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })

/** What the command line reads of a file. */
async function readHere(file: string) {
  const input = { name: path.basename(file), path: path.resolve(file), folder: null }
  const { file: read, error } = await readInput(input, terminalOf())
  if (error === null) return { ...read, runs: read.runs.slice(0, maxShownRuns) }
  return errorLine(errorSentence(error.message), error instanceof ImportError ? error : {}, [
    error instanceof ImportError ? error.hint : null,
  ])
}

/** What the thread of the viewer reads of files, in their order. */
async function readInBrowser(page: Page, batch: readonly string[]): Promise<readonly unknown[]> {
  await page.goto('/viewer')
  await page.getByLabel('Files to show').setInputFiles([...batch])
  const ended = () => page.evaluate(() => (Reflect.get(window, 'ended') as readonly Said[]).length)
  await expect.poll(ended, { timeout: 120_000 }).toBe(batch.length)
  const said = await page.evaluate(() => Reflect.get(window, 'ended') as readonly Said[])
  return said.map((one) => (one.kind === 'read' ? one.file : one.kind === 'failed' ? one.sentence : null))
}

const upload = z.object({ upload: z.object({ draftRuns: z.array(z.unknown()) }) })

/** The runs that the server reads of a file, without storing them; none: it refuses the file. */
async function readByServer(baseURL: string, file: string): Promise<readonly unknown[]> {
  const query = new URLSearchParams({ create: '1', draft: '1', keepSecrets: '1', name: path.basename(file) })
  const root = `${baseURL}/api/v1/projects/records/uploads`
  const headers = { accept: 'application/json' }
  const sent = await fetch(`${root}?${query}`, { method: 'POST', body: readFileSync(file), headers })
  if (sent.status !== 201) return []
  const { url } = z.object({ url: z.string() }).parse(await sent.json())
  const response = await fetch(`${root}/${url.slice(-26)}`, { headers })
  return upload.parse({ upload: await response.json() }).upload.draftRuns
}

test.describe.configure({ timeout: 1_800_000 })

test(`a browser, the command line and the server read the same of ${files.length} files`, async ({ page, baseURL }) => {
  await page.addInitScript(() => {
    const ended: unknown[] = []
    Reflect.set(window, 'ended', ended)
    const Plain = window.Worker
    window.Worker = class extends Plain {
      constructor(url: string | URL) {
        super(url)
        this.addEventListener('message', ({ data }: MessageEvent<{ kind: string }>) => {
          if (data.kind !== 'progress') ended.push(data)
        })
      }
    }
  })
  const different: string[] = []
  for (let from = 0; from < files.length; from += batchSize) {
    const batch = files.slice(from, from + batchSize)
    const inBrowser = await readInBrowser(page, batch)
    for (const [at, file] of batch.entries()) {
      const here = await readHere(file)
      if (textOf(here) !== textOf(inBrowser[at])) different.push(`${file}: browser`)
      const byServer = await readByServer(baseURL ?? '', file)
      const runs = typeof here === 'string' ? [] : here.runs
      if (textOf(runs) !== textOf(byServer.slice(0, maxShownRuns))) different.push(`${file}: server`)
    }
  }
  expect(different).toEqual([])
})
