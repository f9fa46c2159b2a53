import { importFile } from '@/importers/index'
import { ImportError } from '@/lib/errors'
import { writeMarkdownPage, type PageRun } from '@/lib/export/markdown-export'
import { haveSameFigures } from '@/lib/run/same-run'

/**
 * The lines of a run's output if a page that holds them yields this one run again, with every figure; else null: rows
 * of a table whose head is elsewhere, output amid other output.
 */
export async function outputThatReadsBack(run: PageRun, lines: readonly string[]): Promise<readonly string[] | null> {
  if (lines.length === 0) return null
  const page = writeMarkdownPage({ ...blank, runs: [{ ...run, output: lines }] })
  try {
    const { runs } = await importFile(once(page))
    const [only] = runs
    return runs.length === 1 && only !== undefined && haveSameFigures(only, run.imported) ? lines : null
  } catch (error) {
    if (error instanceof ImportError) return null
    throw error
  }
}

const blank = { title: 'Run', lead: [], tables: [], differences: [], takeaways: '', notes: '', cellNotes: [] }

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
