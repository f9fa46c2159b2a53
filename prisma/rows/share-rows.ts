import { z } from 'zod'
import type { FrozenNoise } from '../../lib/judge/history-noise'
import { shareKinds, type SharedCellNote, type ShareSummary } from '../../lib/project/stored-shares'
import { schemaOf } from '../../lib/schema-of'
import type { Share } from '../generated/client'

const kindSchema = z.enum(shareKinds)
const name = z.string().nullable()

/** The column of notes of a shared matrix. */
export const sharedNotesSchema: z.ZodType<readonly SharedCellNote[]> = z.array(
  schemaOf<SharedCellNote>()(z.object({ scenario: z.string(), variant: name, environment: name, text: z.string() })),
)

/** The column of the noise of shared sides, as their histories had it. */
export const frozenNoiseSchema: z.ZodType<readonly FrozenNoise[]> = z.array(
  schemaOf<FrozenNoise>()(
    z.object({
      runId: z.string(),
      metricId: z.string(),
      noiseRatio: z.number().nullable(),
      stepRatio: z.number().optional(),
      runs: z.number().optional(),
      maxStepLog: z.number().optional(),
      step: z
        .object({
          verdict: z.enum(['better', 'worse']),
          effectRatio: z.number(),
          lowRatio: z.number(),
          highRatio: z.number(),
          p: z.number(),
        })
        .optional(),
    }),
  ),
)

/** A share for its owner: everything but the hash of its token. */
export function toShareSummary(row: Share): ShareSummary {
  return {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    kind: kindSchema.parse(row.kind),
    runIds: row.runIds,
    sideSizes: row.sideSizes,
    view: row.view,
    notes: row.notes,
    cellNotes: sharedNotesSchema.parse(row.cellNotes),
    noise: frozenNoiseSchema.parse(row.noise),
    includeRaw: row.includeRaw,
    includeWhy: row.includeWhy,
    embeddable: row.embeddable,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    viewCount: row.viewCount,
    lastViewedAt: row.lastViewedAt?.toISOString() ?? null,
  }
}
