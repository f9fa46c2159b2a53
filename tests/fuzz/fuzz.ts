import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { importFile } from '../../importers/index'
import { ImportError } from '../../lib/errors'
import { contradictionsIn } from './invariants'
import { mutate } from './mutate'
import { randomFrom } from './random'

export interface FuzzOptions {
  readonly runs: number
  readonly seed: number
  /** Called now and then with the number done. */
  readonly onProgress?: (done: number) => void
}

/** An input that was read incorrectly. `file`, `how` and `seed` reproduce it. */
export interface FuzzFailure {
  readonly file: string
  readonly how: string
  readonly seed: number
  readonly what: string
}

const root = path.join(import.meta.dirname, '../fixtures')
/** Larger files only repeat themselves; smaller ones allow more inputs. */
const largestFile = 200_000
/** CPU time of all threads, so that a busy machine does not look like a hang. */
const longestReadMs = 1_000

/** The real files to damage: every fixture that is not a sidecar. */
export function listFiles(): { readonly name: string; readonly bytes: Buffer }[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => name.includes(path.sep) && !/\.(expected|truth)\.json$|README|statistics|change-points/.test(name),
    )
    .flatMap((name) => {
      try {
        const bytes = readFileSync(path.join(root, name))
        return bytes.length > 0 && bytes.length <= largestFile ? [{ name, bytes }] : []
      } catch {
        return [] // a folder
      }
    })
}

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Reads one input. Null: read correctly. */
export async function tryInput(bytes: Buffer, chunk: number): Promise<string | null> {
  const before = process.cpuUsage()
  try {
    const file = await importFile(inChunks(bytes, chunk))
    const { user, system } = process.cpuUsage(before)
    const tookMs = (user + system) / 1_000
    if (tookMs > longestReadMs) return `took ${Math.round(tookMs)} ms of CPU`
    return contradictionsIn(file)[0] ?? null
  } catch (error) {
    if (error instanceof ImportError) return null
    return `crashed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
  }
}

/** Damages real files and reads them. Deterministic except for the time limit. */
export async function fuzz({ runs, seed, onProgress }: FuzzOptions): Promise<readonly FuzzFailure[]> {
  const files = listFiles()
  const failures: FuzzFailure[] = []
  for (let run = 0; run < runs; run += 1) {
    const random = randomFrom(seed + run)
    const file = files[Math.floor(random() * files.length)]
    const other = files[Math.floor(random() * files.length)]
    if (file === undefined || other === undefined) throw new Error('no files to damage')
    const { bytes, how } = mutate(file.bytes, other.bytes, random)
    const what = await tryInput(bytes, 300 + Math.floor(random() * 70_000))
    if (what !== null) failures.push({ file: file.name, how: `${how} with ${other.name}`, seed: seed + run, what })
    if (run % 1_000 === 999) onProgress?.(run + 1)
  }
  return failures
}
