import { setImmediate } from 'node:timers/promises'
import { cleanText } from '@/importers/text/lines'
import type { PageRun } from '@/lib/export/markdown-export'
import { groupBy } from '@/lib/group-by'
import type { StoredRun } from '@/lib/run/stored'
import { outputThatReadsBack } from './page-output'
import { readUploadText } from '../uploads/read-upload-lines'
import { hasRaw } from '../uploads/require-raw'

/** Longer output would make a page that nobody can open: its figures are written instead. */
const maxLines = 2_000
const maxCharacters = 100_000

/** Runs as a Markdown page holds them, each with its tool's output where that can be read back. `titles`: in their order. */
export async function preparePageRuns(
  runs: readonly StoredRun[],
  titles: readonly string[],
): Promise<readonly PageRun[]> {
  const lines = await ownLines(runs)
  const pages: PageRun[] = []
  for (const [at, run] of runs.entries()) {
    const { id, scenario, variant, environment, labels, environmentAttributes, startedAt, imported } = run
    const page: PageRun = {
      title: titles[at] ?? scenario,
      scenario,
      variant,
      environment,
      labels,
      environmentAttributes,
      startedAt,
      imported,
      output: null,
    }
    pages.push({ ...page, output: await outputThatReadsBack(page, lines.get(id) ?? []) })
    // Reading a page back never waits for anything: requests come first.
    await setImmediate()
  }
  return pages
}

/**
 * The runs' own lines of their uploads, each read once; none of an archive's entry, of bytes that are no text, and of
 * what is too long.
 */
async function ownLines(runs: readonly StoredRun[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  const left = new Map<string, number>()
  for (const own of groupBy(runs.filter(hasLines), ({ upload }) => upload.id).values()) {
    const [first] = own
    if (first === undefined || !(await hasRaw(first.upload))) continue
    const waiting = own.toSorted((a, b) => firstLine(b) - firstLine(a))
    let open: StoredRun[] = []
    for await (const line of (await readUploadText(first.upload.storedSha256)) ?? []) {
      for (let next = waiting.at(-1); next && firstLine(next) <= line.number; next = waiting.at(-1)) {
        open.push(next)
        waiting.pop()
      }
      if (open.length === 0) {
        if (waiting.length === 0) break
        continue
      }
      const text = cleanText(line.raw)
      for (const { id } of open) {
        const characters = (left.get(id) ?? maxCharacters) - text.length
        left.set(id, characters)
        const lines = found.get(id) ?? []
        lines.push(text)
        if (characters < 0) found.delete(id)
        else found.set(id, lines)
      }
      open = open.filter(({ imported }) => imported.context.lines[1] > line.number)
    }
  }
  return found
}

const firstLine = ({ imported }: StoredRun): number => imported.context.lines[0]

function hasLines({ upload, imported: { context } }: StoredRun): boolean {
  const [first, last] = context.lines
  return upload.encoding !== null && context.file === undefined && last - first < maxLines
}
