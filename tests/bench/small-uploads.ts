/**
 * `npx tsx tests/bench/small-uploads.ts [uploads]`: uploads a small document to the embedded database repeatedly in
 * this process, and measures each until its acknowledgement. To compare two builds, alternate between their checkouts.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { importUpload } from '../../app/_server/uploads/import-upload'
import { localViewer } from '../../lib/viewer'
import { closeDatabase, openDatabase } from '../../prisma/db'
import { createProject, grant } from '../../prisma/queries/projects/projects'

const uploads = Number(process.argv[2] ?? 200)
const dataFolder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-small-'))
process.env['TAILBOARD_DATA'] = dataFolder
try {
  await openDatabase({ dataFolder })
  await createProject(localViewer, { slug: 'bench', name: 'Bench' })
  const project = await grant(localViewer, { slug: 'bench' }, 'upload')
  const document = readFileSync('tests/fixtures/documents/smithy-wrk.md', 'utf8')
  const times: number[] = []
  for (let number = 0; number < uploads + 20; number += 1) {
    const body = Buffer.from(`${document}\n<!-- ${number} -->\n`)
    async function* arriving() {
      yield body
    }
    const asked = { project, name: 'a.md', labels: {}, again: false, draft: false, keepSecrets: false, gate: false }
    const startedAt = performance.now()
    await importUpload(asked, arriving(), { contentLength: body.length, sha256: null, isGzip: false })
    times.push(performance.now() - startedAt)
  }
  const sorted = times.slice(20).sort((a, b) => a - b)
  const at = (q: number) => (sorted[Math.ceil(sorted.length * q) - 1] ?? NaN).toFixed(1)
  process.stdout.write(`${uploads} uploads: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms\n`)
} finally {
  await closeDatabase()
  rmSync(dataFolder, { recursive: true, force: true })
}
