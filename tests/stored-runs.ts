import { readFileSync } from 'node:fs'
import { importFile } from '@/importers/index'
import { runGuards } from '@/lib/judge/run-guards'
import { figuresOf } from '@/lib/run/metrics'
import type { CellNote, ImportedRun } from '@/lib/run/run'
import type { StoredRun } from '@/lib/history/stored-runs'

/**
 * A document in `fixtures/documents` as saved without edits: its runs by their position in it, and the notes of empty
 * cells.
 */
export async function storedDocument(
  document: string,
): Promise<{ readonly runs: readonly StoredRun[]; readonly cellNotes: readonly CellNote[] }> {
  const bytes = new Uint8Array(readFileSync(`tests/fixtures/documents/${document}.md`))
  const { runs, cellNotes } = await importFile(
    (async function* () {
      yield bytes
    })(),
  )
  return { runs: runs.map((run, index) => storedRun(run, index)), cellNotes }
}

/** A run as saved without edits. */
export function storedRun(imported: ImportedRun, index = 0): StoredRun {
  const uploadedAt = '2026-11-21T00:00:00.000Z'
  const { scenario, variant, environment, environmentAttributes, labels } = imported.proposal
  const { tool, form, load, complete, warnings, startedAt } = imported
  const upload = {
    id: 'upload',
    projectId: 'project',
    name: 'document.md',
    sizeBytes: 1,
    kind: 'text',
    encoding: 'utf-8',
    lineCount: 1,
    sentSha256: '',
    storedSha256: '',
    state: 'saved',
    createdAt: uploadedAt,
    rawRemovedAt: null,
    keepSecrets: false,
  } as const
  return {
    id: String(index),
    projectId: 'project',
    projectSlug: 'project',
    uploadId: upload.id,
    seriesId: 'series',
    indexInUpload: index,
    ...{ scenario: scenario ?? '', variant, environment, environmentAttributes, labels },
    ...{ tool, form, load, complete, warnings, startedAt, startedAtSource: null, uploadedAt },
    ...{ candidate: false, guards: runGuards(imported), judged: null, judgement: null, counted: null },
    orderedAt: startedAt ?? uploadedAt,
    figures: figuresOf(imported),
    imported,
    notes: '',
    upload,
  }
}
