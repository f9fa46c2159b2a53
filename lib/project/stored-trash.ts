import type { RunRow, UploadSummary } from '../run/stored'
import type { UtcIso } from '../run/run'

/** Days that a deleted run or upload can be restored, before the server deletes it permanently. */
export const trashDays = 30

/** A run in the trash. */
export interface TrashedRun extends RunRow {
  readonly deletedAt: UtcIso
  /** run: somebody deleted it; retention: it was older than the project keeps runs. */
  readonly deletedBy: 'run' | 'retention'
}

/** An upload in the trash, with the runs that went there with it. */
export interface TrashedUpload extends UploadSummary {
  readonly deletedAt: UtcIso
  readonly runCount: number
}

/** What a project's trash shows, newest first, at most 200 each; `more`: there is more than that. */
export interface Trash {
  readonly runs: readonly TrashedRun[]
  readonly uploads: readonly TrashedUpload[]
  readonly more: boolean
}

/** What changes in several runs at once; absent fields stay. Null: none. */
export interface BulkEdits {
  readonly scenario?: string | undefined
  readonly variant?: string | null | undefined
  readonly environment?: string | null | undefined
  readonly addLabels?: Readonly<Record<string, string>> | undefined
  /** Names of labels. */
  readonly removeLabels?: readonly string[] | undefined
}

/** How long a project keeps what; days, 1 to 36,500. Null: forever. */
export interface Retention {
  readonly keepRawDays: number | null
  readonly keepRunsDays: number | null
}

/** Most runs that one change may name. */
export const maxInBulk = 200
