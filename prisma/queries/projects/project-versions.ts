import { z } from 'zod'
import { database } from '../../db'
import type { Granted } from '../../statements/access'

const rowsSchema = z.array(z.object({ at: z.number(), version: z.string() }))

/**
 * The version of each of these projects, which goes up with every change that a page may show: a decimal integer. Null:
 * the viewer may no longer read it, or their session or token is over. One statement, however many there are.
 */
export async function readVersions(
  projects: readonly Granted<'read'>[],
  now: Date,
): Promise<readonly (string | null)[]> {
  const ids = projects.map(({ id }) => id)
  const viewers = projects.map(({ viewer }) => viewer)
  const accounts = viewers.map((one) => ('accountId' in one ? one.accountId : null))
  const sessions = viewers.map((one) => (one.kind === 'member' ? one.sessionId : null))
  const tokens = viewers.map((one) => (one.kind === 'token' ? one.tokenId : null))
  const rows = rowsSchema.parse(
    await database().$queryRaw`
      SELECT asked.at::int AS at, coalesce(project_version.version, 0)::text AS version
      FROM unnest(${ids}::text[], ${accounts}::text[], ${sessions}::text[], ${tokens}::text[])
        WITH ORDINALITY AS asked (project_id, account_id, session_id, token_id, at)
      JOIN project ON project.id = asked.project_id AND project.deleted_at IS NULL
      LEFT JOIN project_version ON project_version.project_id = asked.project_id
      WHERE (asked.account_id IS NULL OR EXISTS (
          SELECT FROM account WHERE account.id = asked.account_id AND disabled_at IS NULL AND (is_owner OR EXISTS (
            SELECT FROM membership WHERE membership.account_id = account.id AND membership.project_id = project.id))))
        AND (asked.session_id IS NULL OR EXISTS (
          SELECT FROM session WHERE session.id = asked.session_id AND expires_at > ${now}))
        AND (asked.token_id IS NULL OR EXISTS (
          SELECT FROM api_token WHERE api_token.id = asked.token_id AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > ${now})))`,
  )
  const versions = new Map(rows.map(({ at, version }) => [at - 1, version]))
  return projects.map((_, at) => versions.get(at) ?? null)
}
