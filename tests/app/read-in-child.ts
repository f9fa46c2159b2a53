/**
 * Reads one file as an upload in a separate process, and prints its cost as a multiple of unpacking another file;
 * bundled by bombs.test.ts.
 */
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { storedFile } from '../../app/_server/store/folder-store'
import { nodeUnpacker } from '../../app/_server/archive/node-unpacker'
import { readUpload } from '../../importers/carriers/read-upload'
import { ImportError } from '../../lib/errors'

const [file = '', unitFile = ''] = process.argv.slice(2)
const { size } = await stat(file)
const before = process.resourceUsage().maxRSS
const startedAt = process.cpuUsage()
let outcome: { code: string; message: string } | { runs: number }
try {
  const { runs } = await readUpload(
    createReadStream(file),
    nodeUnpacker(() => Promise.resolve(storedFile(file, size))),
  )
  outcome = { runs: runs.length }
} catch (error) {
  if (!(error instanceof ImportError)) throw error
  outcome = { code: error.code, message: error.message }
}
// CPU time, because other tests run at the same time and slow this one down.
const cpuMs = cpuMsSince(startedAt)
const grownMb = (process.resourceUsage().maxRSS - before) / 1024
const unit = await readFile(unitFile)
const unitStartedAt = process.cpuUsage()
gunzipSync(unit)
process.stdout.write(JSON.stringify({ outcome, times: cpuMs / cpuMsSince(unitStartedAt), grownMb }))

function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}
