import { createReadStream } from 'node:fs'
import path from 'node:path'
import { importFile } from '@/importers/index'
import type { ImportedRun } from '@/lib/run/run'

async function readSample(file: string): Promise<readonly ImportedRun[]> {
  const { runs } = await importFile(createReadStream(path.join(process.cwd(), 'public', 'sample-data', file)))
  return runs
}

/** The runs that the explanations show, read from the sample documents once per process; no database. */
export const learnSamples = (() => {
  const read = async () => {
    const [hey, wrk] = await Promise.all([readSample('lambda-dispatcher-vs-direct.md'), readSample('smithy-wrk.md')])
    return { hey, wrk }
  }
  let samples: ReturnType<typeof read> | null = null
  return () =>
    (samples ??= read().catch((error: unknown) => {
      samples = null // Not stored: the next request tries again.
      throw error
    }))
})()
