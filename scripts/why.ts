/**
 * `npm run --silent why -- FOLDER`: what labelled pairs of runs differ by, and how labelled clients and servers are
 * joined, as JSON for the folder's scorer. Inputs: `pairs/ID/{base,head}.*` and `join/ID/{client,server}.*`.
 */
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { createGunzip } from 'node:zlib'
import { nodeUnpacker } from '../app/_server/archive/node-unpacker'
import { storedFile } from '../app/_server/store/folder-store'
import { readUpload } from '../importers/carriers/read-upload'
import { readReportRows } from '../importers/lambda/report-rows'
import type { Wanted } from '../importers/rows/wanted'
import type { Cube } from '../lib/cube/cube'
import { decodeCube, encodeCube } from '../lib/history/cube-codec'
import type { ServerRow } from '../lib/cube/join-rows'
import { explain } from '../lib/explain/explain'
import { whyDocument } from '../lib/explain/why-document'
import { joinRows } from '../lib/join/client-server'
import { joinDocument } from '../lib/join/join-document'

const [, , folder = ''] = process.argv
if (folder === '') {
  process.stderr.write('Usage: npm run --silent why -- FOLDER (with pairs/, join/)\n')
  process.exit(2)
}

/** What was asked for beside the first run of a file. */
async function read(file: string, wanted: Wanted) {
  const unpacker = nodeUnpacker(() => Promise.resolve(storedFile(file, statSync(file).size)))
  const { beside = [] } = await readUpload(createReadStream(file), unpacker, null, wanted)
  return beside[0] ?? null
}

const readLog = (file: string): Promise<readonly ServerRow[]> =>
  readReportRows(file.endsWith('.gz') ? createReadStream(file).pipe(createGunzip()) : createReadStream(file))

/** The file whose name begins like this; null: there is none. */
function find(place: string, start: string, isLog: boolean): string | null {
  const name = readdirSync(place).find((one) => one.startsWith(`${start}.`) && one.includes('.lambda.') === isLog)
  return name === undefined ? null : path.join(place, name)
}

async function cubeOf(place: string, side: 'base' | 'head'): Promise<Cube | null> {
  const [file, log] = [find(place, side, false), find(place, side, true)]
  if (file === null) return null
  const reports = log === null ? [] : await readLog(log)
  const byId = new Map(reports.flatMap((row) => (row.id === null ? [] : [[row.id, row] as const])))
  const beside = await read(file, { cube: true, ...(byId.size > 0 ? { invocations: byId } : {}) })
  // As it would be stored: the answers are those of stored cubes.
  return beside?.cube === undefined ? null : decodeCube(await encodeCube(beside.cube))
}

async function answerPair(place: string): Promise<unknown> {
  const [base, head] = [await cubeOf(place, 'base'), await cubeOf(place, 'head')]
  return base === null || head === null ? { kind: 'unreadable' } : whyDocument(explain(base, head))
}

async function answerJoin(place: string): Promise<unknown> {
  const [client, server] = [find(place, 'client', false), find(place, 'server', true)]
  const rows = client === null ? undefined : (await read(client, { table: true }))?.rows
  if (rows === undefined) return { how: 'refused', why: 'the client has no rows' }
  return joinDocument(joinRows(rows, server === null ? null : await readLog(server)))
}

async function answerAll(name: string, answer: (place: string) => Promise<unknown>) {
  const place = path.join(folder, name)
  const answers: Record<string, unknown> = {}
  for (const id of existsSync(place) ? readdirSync(place).sort() : []) answers[id] = await answer(path.join(place, id))
  return answers
}

const pairs = await answerAll('pairs', answerPair)
process.stdout.write(`${JSON.stringify({ pairs, join: await answerAll('join', answerJoin) })}\n`)
