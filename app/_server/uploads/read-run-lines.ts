import { cleanText } from '@/importers/text/lines'
import { groupBy } from '@/lib/group-by'
import type { StoredRun } from '@/lib/history/stored-runs'
import { readUploadText, type UploadLine } from './read-upload-lines'
import { hasRaw } from './require-raw'

/** A run's lines in its upload, from its first one on. */
export interface RunLines {
  readonly lines: readonly UploadLine[]
  /** Whether these are all of them. */
  readonly isWhole: boolean
}

/** Limits for one run. */
interface Most {
  readonly lines: number
  readonly characters: number
}

/**
 * The runs' own lines of their uploads, by run. Reads each upload once, one after the other, and for each run at most
 * `most` plus the line that exceeds it. None for an archive's entry, bytes that are not text, and uploads no longer
 * stored.
 */
export async function readRunLines(runs: readonly StoredRun[], most: Most): Promise<ReadonlyMap<string, RunLines>> {
  const found = new Map<string, RunLines>()
  for (const own of groupBy(runs.filter(hasLines), ({ upload }) => upload.id).values()) {
    const [first] = own
    if (first === undefined || !(await hasRaw(first.upload))) continue
    for (const reading of await readUpload(first.upload.storedSha256, own, most)) {
      const { run, lines, isWhole } = reading
      found.set(run.id, { lines, isWhole })
    }
  }
  return found
}

/** State of reading one run's lines. */
class Reading {
  readonly lines: UploadLine[] = []
  isWhole = true
  private characters = 0
  readonly first: number
  private readonly last: number

  constructor(
    readonly run: StoredRun,
    private readonly most: Most,
  ) {
    ;[this.first, this.last] = run.imported.context.lines
  }

  /** Returns whether to go on after this line. */
  add(line: UploadLine): boolean {
    this.lines.push(line)
    this.characters += line.text.length
    this.isWhole = this.characters <= this.most.characters && this.lines.length <= this.most.lines
    return this.isWhole && line.number < this.last
  }
}

async function readUpload(storedSha256: string, runs: readonly StoredRun[], most: Most): Promise<readonly Reading[]> {
  const readings = runs.map((run) => new Reading(run, most)).sort((a, b) => a.first - b.first)
  let begun = 0
  let open: readonly Reading[] = []
  for await (const { number, raw } of (await readUploadText(storedSha256)) ?? []) {
    for (; (readings[begun]?.first ?? Infinity) <= number; begun += 1)
      open = [...open, ...readings.slice(begun, begun + 1)]
    if (open.length > 0) {
      const line = { number, text: cleanText(raw) }
      open = open.filter((reading) => reading.add(line))
    }
    if (open.length === 0 && begun === readings.length) break
  }
  return readings
}

const hasLines = ({ upload, imported }: StoredRun): boolean =>
  upload.encoding !== null && imported.context.file === undefined
