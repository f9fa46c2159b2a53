import { z } from 'zod'
import { shareKinds, type ShareSummary } from '../../lib/stored-shares'
import type { Share } from '../generated/client'

const kindSchema = z.enum(shareKinds)

/** A share as its owner sees it: everything but the hash of its token. */
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
    includeRaw: row.includeRaw,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    viewCount: row.viewCount,
    lastViewedAt: row.lastViewedAt?.toISOString() ?? null,
  }
}
