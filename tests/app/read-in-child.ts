/** Reads one file as an upload in a process of its own, and prints what that took; bundled by bombs.test.ts. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { storedFile } from '../../app/_server/store/folder-store'
import { readUpload } from '../../app/_server/uploads/read-upload'
import { ImportError } from '../../lib/errors'

const file = process.argv[2] ?? ''
const { size } = await stat(file)
const before = process.resourceUsage().maxRSS
const cpuBefore = process.cpuUsage()
let outcome: { code: string; message: string } | { runs: number }
try {
  const { runs } = await readUpload(createReadStream(file), () => Promise.resolve(storedFile(file, size)))
  outcome = { runs: runs.length }
} catch (error) {
  if (!(error instanceof ImportError)) throw error
  outcome = { code: error.code, message: error.message }
}
const cpu = process.cpuUsage(cpuBefore)
// Of the processor: other tests run at the same time.
const ms = Math.round((cpu.user + cpu.system) / 1_000)
const grownMb = (process.resourceUsage().maxRSS - before) / 1024
process.stdout.write(JSON.stringify({ outcome, ms, grownMb }))
