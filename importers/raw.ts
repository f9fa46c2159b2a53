import type { ImportedFile, ImportedRun, ImportProblem } from '../lib/run'
import { ImportError } from '../lib/errors'
import type { BlockRun, Bytes, RawImporter } from './importer'

/** Reads a file that one importer owns. Its runs have no document around them. Throws what the importer throws. */
export async function readRaw(importer: RawImporter, bytes: Bytes): Promise<ImportedFile> {
  const runs: ImportedRun[] = []
  const problems: ImportProblem[] = []
  for await (const found of importer.read(bytes)) {
    if ('severity' in found) problems.push(found)
    else runs.push(withoutDocument(found))
  }
  if (runs.length === 0)
    throw new ImportError('empty', `${importer.id}: there is no result in it`, { offset: 0, hint: null })
  return { encoding: null, lineCount: null, runs, problems, cellNotes: [] }
}

function withoutDocument({ lines: _lines, name: _name, ...run }: BlockRun): ImportedRun {
  return {
    ...run,
    context: { headings: [], lines: [1, 1], facts: [], notes: [] },
    proposal: {
      scenario: null,
      variant: null,
      environment: null,
      environmentAttributes: {},
      labels: {},
      sources: run.startedAt === null ? {} : { startedAt: 'time in the output' },
    },
  }
}
