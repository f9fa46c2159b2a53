import type { CellNote, ImportedFile, UtcIso } from '../../lib/run/run'
import { clipText, storableText } from '../../lib/text'
import type { Prisma } from '../generated/client'
import type { Db } from './access'
import { newId } from './ids'
import { jsonColumn, type GivenNames } from './json-columns'
import { checkedLabels, checkedName, checkedOptionalName, limits, proposedName } from './limits'
import { checkedStart } from './run-state'
import type { RunToSave } from './save-runs'

/** A received file and what was read from it. */
export interface ReceivedUpload {
  readonly projectId: string
  /** File name as sent; no path. */
  readonly name: string
  readonly sizeBytes: number
  readonly kind: string
  /** Of the bytes as sent (recognises them), and of those in the raw store (their address). */
  readonly sentSha256: string
  readonly storedSha256: string
  readonly file: ImportedFile
  /** What looks like a secret was kept, as its sender asked. Absent: masked. */
  readonly keepSecrets?: boolean | undefined
}

/** Names for all runs of an upload, as its sender gave them. Absent: as the file proposes. */
export interface GivenRunNames {
  readonly scenario?: string | undefined
  readonly variant?: string | null | undefined
  readonly environment?: string | null | undefined
  /** Of the runs whose text names no time. */
  readonly startedAt?: UtcIso | undefined
}

/** Names, labels and start for all runs, checked. Throws InvalidInputError. */
export function checkedGiven(names: GivenRunNames, labels: Readonly<Record<string, string>>): GivenNames {
  const { scenario, variant, environment, startedAt } = names
  return {
    ...(scenario === undefined ? {} : { scenario: checkedName('scenario', scenario) }),
    ...(variant === undefined ? {} : { variant: checkedOptionalName('variant', variant) }),
    ...(environment === undefined ? {} : { environment: checkedOptionalName('environment', environment) }),
    ...(startedAt === undefined ? {} : { startedAt: checkedStart(startedAt, Date.now()).toISOString() }),
    labels: checkedLabels(labels),
  }
}

/** The columns that follow from reading the file. */
export function fileColumns(file: ImportedFile) {
  return {
    encoding: file.encoding,
    lineCount: file.lineCount,
    problems: jsonColumn(file.problems),
    cellNotes: jsonColumn(file.cellNotes),
  } satisfies Prisma.UploadUncheckedUpdateInput
}

/** The row of a new upload. Throws InvalidInputError for what cannot be stored. */
export function uploadRow(input: ReceivedUpload, state: 'draft' | 'saved', given: GivenNames) {
  return {
    id: newId(),
    projectId: input.projectId,
    state,
    name: clipText(storableText(input.name).trim() || 'untitled', limits.uploadName),
    sizeBytes: input.sizeBytes,
    kind: storableText(input.kind),
    sentSha256: input.sentSha256,
    storedSha256: input.storedSha256,
    given: jsonColumn(given),
    keepSecrets: input.keepSecrets ?? false,
    createdAt: new Date(),
    ...fileColumns(input.file),
  } satisfies Prisma.UploadUncheckedCreateInput
}

/**
 * Writes an upload's notes of empty cells in place of those it had. Where all its runs of a proposed scenario, variant or
 * environment go by one other name now, the note follows them.
 */
export async function replaceCellNotes(
  db: Db,
  upload: { readonly id: string; readonly projectId: string },
  notes: readonly CellNote[],
  runs: readonly RunToSave[],
): Promise<void> {
  const scenarios = renamesOf(runs, (run) => [run.imported.proposal.scenario, run.state.scenario])
  const variants = renamesOf(runs, (run) => [run.imported.proposal.variant, run.state.variant])
  const environments = renamesOf(runs, (run) => [run.imported.proposal.environment, run.state.environment])
  await db.cellNote.deleteMany({ where: { uploadId: upload.id } })
  await db.cellNote.createMany({
    data: notes.map((note) => ({
      id: newId(),
      projectId: upload.projectId,
      uploadId: upload.id,
      scenario: scenarios(note.scenario) ?? 'Untitled',
      variant: variants(note.variant),
      environment: environments(note.environment),
      text: storableText(note.text),
      line: note.line,
    })),
  })
}

function renamesOf(
  runs: readonly RunToSave[],
  names: (run: RunToSave) => readonly [proposed: string | null, final: string | null],
): (name: string | null) => string | null {
  const finals = new Map<string | null, Set<string | null>>()
  for (const run of runs) {
    const [proposed, final] = names(run)
    finals.set(proposed, (finals.get(proposed) ?? new Set()).add(final))
  }
  return (name) => {
    const [only, ...others] = finals.get(name) ?? []
    return only === undefined || others.length > 0 ? proposedName(name) : only
  }
}
