import { plausibleStart, proposedLabels, proposedNames, warningsWithStart } from '../history/proposed-names'
import type { StoredRun } from '../history/stored-runs'
import { runGuards } from '../judge/run-guards'
import { guardsThatHold } from '../run/guard'
import { figuresOf } from '../run/metrics'
import type { ImportedFile, ImportedRun } from '../run/run'
import { maskTexts } from '../secrets'

/** A file that was read where no server stores it. */
export interface LocalFile {
  readonly input: {
    /** As shown; `/` parts folders. */
    readonly name: string
    /** Null: it is no file, so no time is that of its end. */
    readonly path: string | null
  }
  /** When the file was written last: about when its run ended. */
  readonly writtenAt: Date
  readonly file: ImportedFile
}

/** A file and what a person would say about it when uploading it. */
export interface NamedFile extends LocalFile {
  /** The name that its nameless runs get; absent: that of the file. */
  readonly nameForRuns?: string
  /** The variant of the runs whose text names none; absent: none. */
  readonly variant?: string
  /** Labels for all runs; absent: none. */
  readonly labels?: Readonly<Record<string, string>>
}

/** The upload of all files together: when their runs ended is not known. */
const uploadAsOne = 'files'

/**
 * The runs of files as the server would have them after an upload of each, with secrets masked. Without an id of the
 * database, theirs is the file, and the position in it.
 */
export function localRuns(files: readonly NamedFile[], nowMs: number): readonly StoredRun[] {
  const isTimed = tellTimes(files)
  return files.flatMap((one, at) => {
    const file = structuredClone(one.file)
    maskTexts(file, [])
    return file.runs.map((run, index) =>
      localRun(one, run, { index, isOnly: file.runs.length === 1, at, isTimed, nowMs }),
    )
  })
}

interface Place {
  readonly index: number
  readonly isOnly: boolean
  /** The file's position. */
  readonly at: number
  readonly isTimed: boolean
  readonly nowMs: number
}

function localRun(file: NamedFile, imported: ImportedRun, { index, isOnly, at, isTimed, nowMs }: Place): StoredRun {
  const { input, writtenAt, variant, labels = {}, nameForRuns = input.name.split('/').at(-1) ?? input.name } = file
  const proposed = proposedNames(imported, nameForRuns)
  const names = { ...proposed, variant: proposed.variant ?? variant ?? null, labels: { ...proposed.labels, ...labels } }
  const startedAt = imported.startedAt === null ? null : plausibleStart(imported.startedAt, nowMs)
  const uploadedAt = writtenAt.toISOString()
  const uploadId = isTimed ? `${at}` : uploadAsOne
  return {
    ...names,
    id: isOnly ? input.name : `${input.name}#${index + 1}`,
    projectId: '',
    projectSlug: '',
    uploadId,
    seriesId: JSON.stringify([names.scenario, names.variant, names.environment]),
    indexInUpload: index,
    tool: imported.tool,
    form: imported.form,
    load: imported.load,
    startedAt: startedAt?.toISOString() ?? null,
    startedAtSource: imported.proposal.sources.startedAt ?? null,
    uploadedAt,
    orderedAt: startedAt?.toISOString() ?? uploadedAt,
    complete: imported.complete,
    guards: guardsThatHold(runGuards(imported), null),
    candidate: false,
    judged: null,
    warnings: warningsWithStart(imported, startedAt),
    figures: figuresOf(imported),
    judgement: null,
    counted: null,
    imported,
    notes: '',
    environmentAttributes: proposedLabels(imported.proposal.environmentAttributes),
    upload: uploadOf(file, uploadId, uploadedAt),
  }
}

const uploadOf = ({ input, file }: NamedFile, id: string, createdAt: string): StoredRun['upload'] => ({
  id,
  projectId: '',
  name: input.name,
  sizeBytes: 0,
  kind: '',
  encoding: file.encoding,
  lineCount: file.lineCount,
  sentSha256: '',
  storedSha256: '',
  state: 'saved',
  createdAt,
  rawRemovedAt: null,
  keepSecrets: false,
})

/** Runs in turn end at least their duration apart, but for rounding; however short, not within a blink. */
const minGap = { ofDuration: 0.9, ms: 100 }

/**
 * Whether the times at which files were written can be the ends of their runs: a checkout or an unpacked artifact writes
 * all of them at once, sooner after each other than the runs took.
 */
function tellTimes(files: readonly LocalFile[]): boolean {
  const ends = files
    .flatMap(({ file, writtenAt, input }) => {
      const [run, ...more] = file.runs
      const isTimed = run !== undefined && run.startedAt === null && more.length === 0 && input.path !== null
      return isTimed ? [{ endMs: writtenAt.getTime(), durationMs: run.durationMs ?? 0 }] : []
    })
    .sort((a, b) => a.endMs - b.endMs)
  return ends.every(({ endMs, durationMs }, at) => {
    const before = ends[at - 1]
    return before === undefined || endMs - before.endMs >= Math.max(minGap.ofDuration * durationMs, minGap.ms)
  })
}
