import { readFileSync } from 'node:fs'
import { importFile } from '@/importers/index'
import type { ImportedRun } from '@/lib/run'

/** The runs of a fixture document (`zlib-gzip`) or of any text, through the real importers. */
export async function runsOf(
  source: { readonly document: string } | { readonly text: string },
): Promise<readonly ImportedRun[]> {
  const text = 'text' in source ? source.text : readFileSync(`tests/fixtures/documents/${source.document}.md`, 'utf8')
  const bytes = new TextEncoder().encode(text)
  const file = await importFile(
    (async function* () {
      yield bytes
    })(),
  )
  return file.runs
}
