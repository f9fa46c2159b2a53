import { createHash } from 'node:crypto'
import { importFile } from '../../importers/index'

/** Import speed of a generated Lambda log compared with just reading its bytes, in one process and one run. */
export interface ParseSpeed {
  readonly rounds: number
  readonly megabytes: number
  /** Median over rounds of import time / time to hash the same bytes. */
  readonly ratioToSha256: number
  readonly megabytesPerSecond: number
}

const LINES = 100_000
const CHUNK_BYTES = 256 * 1024

function lambdaLog(): Uint8Array {
  const lines: string[] = []
  for (let index = 0; index < LINES; index += 1) {
    const id = createHash('md5').update(String(index)).digest('hex')
    const uuid = `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`
    const durationMs = 1 + (index % 997) / 10
    lines.push(`START RequestId: ${uuid} Version: $LATEST`)
    lines.push(
      `REPORT RequestId: ${uuid}\tDuration: ${durationMs.toFixed(2)} ms\tBilled Duration: ${Math.ceil(durationMs)} ms\tMemory Size: 128 MB\tMax Memory Used: 70 MB\t`,
    )
  }
  return new TextEncoder().encode(`${lines.join('\n')}\n`)
}

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Interleaves import and hash, five rounds after one warm-up. Throws if a figure of the import is wrong. */
export async function measureParseSpeed(): Promise<ParseSpeed> {
  const bytes = lambdaLog()
  const ratios: number[] = []
  const importTimes: number[] = []
  const rounds = 5
  for (let round = 0; round <= rounds; round += 1) {
    const importStart = performance.now()
    const file = await importFile(chunks(bytes))
    const importMs = performance.now() - importStart
    if (file.runs[0]?.requests !== LINES) throw new Error(`read ${file.runs[0]?.requests} invocations of ${LINES}`)
    const hashStart = performance.now()
    const hash = createHash('sha256')
    for await (const chunk of chunks(bytes)) hash.update(chunk)
    hash.digest()
    const hashMs = performance.now() - hashStart
    if (round === 0) continue
    ratios.push(importMs / hashMs)
    importTimes.push(importMs)
  }
  const megabytes = bytes.length / 1e6
  return {
    rounds,
    megabytes,
    ratioToSha256: median(ratios),
    megabytesPerSecond: megabytes / (median(importTimes) / 1000),
  }
}
