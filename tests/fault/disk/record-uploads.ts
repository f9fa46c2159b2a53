/**
 * A separate process for the power-cut test: creates an embedded database in an empty folder and uploads to it, marking
 * each acknowledged upload, while background work runs. Writes the recorded disk operations to another folder.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { recordDisk } from './recorder'
import { variedUpload } from '../varied-uploads'

const [dataFolder = '', target = '', uploads = '0'] = process.argv.slice(2)
process.env['TAILBOARD_DATA'] = dataFolder
const { trace, mark } = recordDisk(dataFolder)
const databaseWorker = path.join(import.meta.dirname, 'recorded-database-worker.ts')

// Everything that is recorded must be loaded afterwards.
const { importUpload } = await import('@/app/_server/uploads/import-upload')
const { evaluateDue } = await import('@/app/_server/alerts/evaluate-series')
const { localViewer } = await import('@/lib/viewer')
const { databasePool, openDatabase } = await import('@/prisma/db')
const { createProject, grant } = await import('@/prisma/queries/projects/projects')
const { foldTermCounts } = await import('@/prisma/queries/installation/sweeps')
const { digestUploads } = await import('../stored-digests')

const bySha256 = new Map<string, string>()

async function upload(slug: string, number: number): Promise<void> {
  const project = await grant(localViewer, { slug }, 'upload')
  const { name, body } = variedUpload(number)
  async function* arriving() {
    for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536)
  }
  const outcome = await importUpload(
    { project, name, labels: {}, again: false, draft: false, keepSecrets: false, gate: false },
    arriving(),
    { contentLength: body.length, sha256: null, isGzip: false },
  )
  if (outcome.kind !== 'saved') throw new Error(`Upload ${number} was not saved: ${outcome.kind}.`)
  mark(outcome.upload.id)
  for (const [id, digest] of await digestUploads([outcome.upload.id])) bySha256.set(id, digest)
}

await openDatabase({ dataFolder, databaseWorker })
await createProject(localViewer, { slug: 'cuts', name: 'Cuts' })
const count = Number(uploads)
let next = 0
async function uploadAll(): Promise<void> {
  for (let number = next++; number < count; number = next++) await upload('cuts', number)
}
async function workBeside(): Promise<void> {
  for (let round = 1; next < count; round += 1) {
    await foldTermCounts()
    await evaluateDue()
    if (round % 3 === 0) await databasePool().query('CHECKPOINT')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
await Promise.all([uploadAll(), uploadAll(), uploadAll(), workBeside()])
const { steps, blob } = await trace()
writeFileSync(path.join(target, 'blob'), blob)
writeFileSync(path.join(target, 'trace.json'), JSON.stringify({ steps, digests: [...bySha256] }))
// Without a clean shutdown, which would sync everything.
process.exit(0)
