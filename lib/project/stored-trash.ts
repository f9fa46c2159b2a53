import type { RunRow } from '../history/stored-runs'
import type { UploadSummary } from '../history/stored-uploads'
import type { UtcIso } from '../run/run'

/** Days that a deleted run or upload can be restored, before the server deletes it permanently. */
export const trashDays = 30

/** A run in the trash. */
export interface TrashedRun extends RunRow {
  readonly deletedAt: UtcIso
  /** run: deleted by a person; retention: older than the project keeps runs. */
  readonly deletedBy: 'run' | 'retention'
}

/** An upload in the trash, with the runs deleted with it. */
export interface TrashedUpload extends UploadSummary {
  readonly deletedAt: UtcIso
  readonly runCount: number
}

/** A project's trash, newest first, at most 200 of each; `more`: there are others. */
export interface Trash {
  readonly runs: readonly TrashedRun[]
  readonly uploads: readonly TrashedUpload[]
  readonly more: boolean
}

/** Changes to several runs at once; absent fields stay. Null: removes the value. */
export interface BulkEdits {
  readonly scenario?: string | undefined
  readonly variant?: string | null | undefined
  readonly environment?: string | null | undefined
  readonly addLabels?: Readonly<Record<string, string>> | undefined
  /** Names of labels. */
  readonly removeLabels?: readonly string[] | undefined
}

/** Most runs in one change. */
export const maxInBulk = 200
