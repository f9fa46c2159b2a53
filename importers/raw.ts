import type { ImportedFile, ImportedRun, ImportProblem, RunBeside } from '../lib/run/run'
import { ImportError } from '../lib/errors'
import { boundRun } from '../lib/run/bounded-run'
import { maxRunsPerUpload, tooManyRuns } from '../lib/run/run-limit'
import type { BlockRun, Bytes, RawImporter, RawText } from './importer'
import { nameByAddress } from './document/proposal'
import type { Wanted } from './rows/wanted'
import { makeSound } from './sound-run'

/** Reads a file that one importer owns. Its runs have no surrounding document. Throws what the importer throws. */
export async function readRaw(importer: RawImporter, bytes: Bytes, wanted?: Wanted): Promise<ImportedFile> {
  const runs: ImportedRun[] = []
  const problems: ImportProblem[] = []
  const beside: (RunBeside | null)[] = []
  let text: RawText | null = null
  for await (const found of importer.read(bytes, wanted)) {
    if ('severity' in found) problems.push(found)
    else if ('lineCount' in found) text = found
    else {
      if (runs.length >= maxRunsPerUpload) throw tooManyRuns(found.lines?.[0] ?? null)
      const { beside: own = null, ...run } = found
      runs.push(boundRun(withoutDocument(makeSound(run))))
      beside.push(own)
    }
  }
  if (runs.length === 0)
    throw new ImportError('empty', `${importer.id}: it contains no result`, { offset: 0, hint: null })
  return {
    ...{ encoding: text?.encoding ?? null, lineCount: text?.lineCount ?? null, runs, problems, cellNotes: [] },
    ...(wanted === undefined ? {} : { beside }),
  }
}

function withoutDocument({ lines, name, ...run }: BlockRun): ImportedRun {
  const { url, method, startedAt } = run
  const address = nameByAddress({ url, method, urlSource: 'address in the results' })
  const own = name ? { value: name, source: 'name in the results' } : null
  const scenario = address ?? own
  const variant = address === null ? null : own
  return {
    ...run,
    context: { headings: [], lines: lines ?? [1, 1], facts: [], notes: [] },
    proposal: {
      scenario: scenario?.value ?? null,
      variant: variant?.value ?? null,
      environment: null,
      environmentAttributes: {},
      labels: {},
      sources: {
        ...(scenario ? { scenario: scenario.source } : {}),
        ...(variant ? { variant: variant.source } : {}),
        ...(startedAt === null ? {} : { startedAt: 'time in the output' }),
      },
    },
  }
}
