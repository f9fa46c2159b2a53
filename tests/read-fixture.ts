import { readFileSync } from 'node:fs'
import { importFile } from '@/importers/index'
import type { ImportedRun } from '@/lib/run/run'

/** The runs in a fixture document (`zlib-gzip`) or any file (`hey-csv/slow.csv`), through the real importers. */
export async function runsOf(
  source: { readonly document: string } | { readonly fixture: string } | { readonly text: string },
): Promise<readonly ImportedRun[]> {
  const path = 'document' in source ? `documents/${source.document}.md` : 'fixture' in source ? source.fixture : null
  const bytes =
    'text' in source ? new TextEncoder().encode(source.text) : new Uint8Array(readFileSync(`tests/fixtures/${path}`))
  const file = await importFile(
    (async function* () {
      yield bytes
    })(),
  )
  return file.runs
}
