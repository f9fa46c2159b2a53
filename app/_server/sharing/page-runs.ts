import type { PageRun } from '@/lib/export/markdown-export'
import type { StoredRun } from '@/lib/run/stored'
import { outputThatReadsBack } from './page-output'
import { readLineRanges } from '../uploads/read-upload-lines'
import { hasRaw } from '../uploads/require-raw'

/** Longer output would make a page that nobody can open: its figures are written instead. */
const maxLines = 2_000

/** Runs as a Markdown page holds them, each with its tool's output where that can be read back. `titles`: in their order. */
export async function preparePageRuns(
  runs: readonly StoredRun[],
  titles: readonly string[],
): Promise<readonly PageRun[]> {
  const pages: PageRun[] = []
  for (const [at, run] of runs.entries()) {
    const { scenario, variant, environment, labels, environmentAttributes, startedAt, imported } = run
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
    pages.push({ ...page, output: await outputThatReadsBack(page, await ownLines(run)) })
  }
  return pages
}

/** The run's own lines of its file; none of an archive's entry, of bytes that are no text, and of what is too long. */
async function ownLines({ upload, imported }: StoredRun): Promise<readonly string[]> {
  const [first, last] = imported.context.lines
  if (
    upload.encoding === null ||
    imported.context.file !== undefined ||
    last - first >= maxLines ||
    !(await hasRaw(upload))
  )
    return []
  const lines = await readLineRanges(upload.storedSha256, [[first, last]])
  return lines.map(({ text }) => text)
}
