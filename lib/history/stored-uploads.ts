import type { NamedMapping } from '../run/column-mapping'
import type { CellNote, ImportedRun, ImportProblem, UtcIso } from '../run/run'

/** One raw file or paste, stored as it came. */
export interface UploadSummary {
  readonly id: string
  readonly projectId: string
  readonly name: string
  readonly sizeBytes: number
  /** A word from `uploadKind`; older ones are `text` or `binary`. */
  readonly kind: string
  readonly encoding: string | null
  readonly lineCount: number | null
  readonly sentSha256: string
  readonly storedSha256: string
  /** draft: previewed, not yet saved, swept after 24 h, invisible everywhere else. */
  readonly state: 'draft' | 'saved'
  readonly createdAt: UtcIso
  /** When the raw file was deleted because the project's retention of files had ended; null: it is stored. */
  readonly rawRemovedAt: UtcIso | null
  /** Its sender chose to keep what looks like a secret. */
  readonly keepSecrets: boolean
}

/** A draft or saved upload with everything found in it, for the preview. */
export interface UploadDetail extends UploadSummary {
  readonly problems: readonly ImportProblem[]
  readonly cellNotes: readonly CellNote[]
  /** The mapping its samples were read by; null: they were in a known form. */
  readonly mapping: NamedMapping | null
  /** Draft: the runs found, in order. Saved: empty (they are runs now). */
  readonly draftRuns: readonly ImportedRun[]
}
