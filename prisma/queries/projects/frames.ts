import { z } from 'zod'
import type { ProjectName } from '../../../lib/project/stored-projects'
import type { RuleLimit } from '../../../lib/rules/limits'
import { unattendedStates } from '../../../lib/rules/stored-alerts'
import { schemaOf } from '../../../lib/schema-of'
import { roles, type Viewer } from '../../../lib/viewer'
import { database } from '../../db'
import { Prisma } from '../../generated/client'
import { toRunRules, type RunRules } from '../../rows/project-rows'
import { requireScope } from '../../statements/access'
import { liveSession } from '../../statements/accounts/live-session'

/** A project as the frame of a page needs it. */
export interface FrameProject extends ProjectName, RunRules {
  /** Goes up with every change that a page may show: a decimal integer. */
  readonly version: string
  /** Those that its enabled rules set, in the order of the rules. */
  readonly limits: readonly RuleLimit[]
}

/** What is read once for every page: who it is for, and the projects that they may see, by name. */
export interface Frame {
  readonly viewer: Extract<Viewer, { readonly kind: 'local' | 'member' }>
  readonly projects: readonly FrameProject[]
}

/** The projects of an account: SQL of its id, and of whether it sees all. */
interface Sight {
  readonly accountId: Prisma.Sql
  readonly seesAll: Prisma.Sql
}

const everything: Sight = { accountId: Prisma.sql`NULL::text`, seesAll: Prisma.sql`TRUE` }

/** SQL of a JSON array, by name: `visibleProjects` of access.ts, with what the frame shows of each. */
const shownProjects = ({ accountId, seesAll }: Sight, only: Prisma.Sql = Prisma.sql`TRUE`): Prisma.Sql => Prisma.sql`
  SELECT coalesce(json_agg(json_build_object(
    'id', project.id, 'slug', project.slug, 'name', project.name, 'repositoryUrl', project.repository_url,
    'candidateLabel', project.candidate_label, 'candidateUnless', project.candidate_unless,
    'controlLabel', project.control_label, 'controlValue', project.control_value,
    'role', CASE WHEN ${seesAll} THEN 'admin' ELSE membership.role::text END,
    'openAlerts', coalesce(waiting.alerts, 0), 'hasDeadChannel', dead.project_id IS NOT NULL,
    'version', coalesce(project_version.version, 0)::text, 'limits', coalesce(own_limits.limits, '[]'::json)
  ) ORDER BY project.name, project.slug), '[]'::json)
  FROM project
  LEFT JOIN membership ON membership.project_id = project.id AND membership.account_id = ${accountId}
  LEFT JOIN project_version ON project_version.project_id = project.id
  LEFT JOIN (
    SELECT project_id, count(*) AS alerts FROM alert WHERE state = ANY(${[...unattendedStates]}::text[]) GROUP BY project_id
  ) AS waiting ON waiting.project_id = project.id
  LEFT JOIN (
    SELECT DISTINCT project_id FROM channel WHERE NOT is_enabled AND disabled_reason IN ('gone', 'failing')
  ) AS dead ON dead.project_id = project.id
  LEFT JOIN (
    SELECT project_id, json_agg(json_build_object(
      'ruleId', id, 'scenario', scenario, 'seriesId', series_id,
      'metricId', settings -> 'metricId', 'side', settings -> 'side', 'limit', settings -> 'limit'
    ) ORDER BY created_at, id) AS limits
    FROM rule WHERE kind = 'limit' AND is_enabled AND deleted_at IS NULL GROUP BY project_id
  ) AS own_limits ON own_limits.project_id = project.id
  WHERE project.deleted_at IS NULL AND (${seesAll} OR membership.account_id IS NOT NULL) AND ${only}`

const limitSchema = schemaOf<RuleLimit>()(
  z.object({
    ...{ ruleId: z.string(), scenario: z.string().nullable(), seriesId: z.string().nullable() },
    ...{ metricId: z.string(), side: z.enum(['above', 'below']), limit: z.number() },
  }),
)

const projectsSchema = z.array(
  z
    .object({
      ...{ id: z.string(), slug: z.string(), name: z.string(), repositoryUrl: z.string().nullable() },
      ...{ candidateLabel: z.string().nullable(), candidateUnless: z.string().nullable(), role: z.enum(roles) },
      ...{ controlLabel: z.string().nullable(), controlValue: z.string().nullable() },
      ...{ openAlerts: z.number(), hasDeadChannel: z.boolean(), version: z.string() },
      limits: z.array(limitSchema),
    })
    .transform(({ candidateLabel, candidateUnless, controlLabel, controlValue, ...own }): FrameProject => ({
      ...own,
      ...toRunRules({ candidateLabel, candidateUnless, controlLabel, controlValue }),
    })),
)

const localSchema = z.tuple([z.object({ projects: projectsSchema })])
const sessionSchema = z.array(
  z.object({
    ...{ sessionId: z.string(), accountId: z.string(), name: z.string(), isOwner: z.boolean() },
    ...{ expiresAt: z.date(), lastSeenAt: z.date(), disabledAt: z.date().nullable() },
    projects: projectsSchema,
  }),
)

/** The projects that the viewer may see, by name, as the frame of a page shows them. */
export async function listProjectNames(viewer: Viewer): Promise<readonly ProjectName[]> {
  requireScope(viewer, 'read')
  if (viewer.kind === 'share') return []
  const isAccount = viewer.kind === 'member' || viewer.kind === 'token'
  const sight = isAccount
    ? { accountId: Prisma.sql`${viewer.accountId}::text`, seesAll: Prisma.sql`${viewer.isOwner}::boolean` }
    : everything
  const only = viewer.kind === 'system' || viewer.kind === 'token' ? viewer.projectId : null
  const found = localSchema.parse(
    await database().$queryRaw`
      SELECT (${shownProjects(sight, only === null ? undefined : Prisma.sql`project.id = ${only}`)}) AS projects`,
  )
  return found[0].projects.map(
    ({ candidateRule: _rule, controlRule: _control, version: _version, limits: _limits, ...shown }) => shown,
  )
}

/** The frame of pages on a server without accounts. */
export async function readLocalFrame(): Promise<Frame> {
  const found = localSchema.parse(await database().$queryRaw`SELECT (${shownProjects(everything)}) AS projects`)
  return { viewer: { kind: 'local' }, projects: found[0].projects }
}

/** The frame for a cookie's token, in one statement; null when `findSessionViewer` finds none. */
export async function readSessionFrame(tokenSha256: string, now: Date): Promise<Frame | null> {
  const sight = { accountId: Prisma.sql`account.id`, seesAll: Prisma.sql`account.is_owner` }
  const found = sessionSchema.parse(
    await database().$queryRaw`
      SELECT session.id AS "sessionId", session.expires_at AS "expiresAt", session.last_seen_at AS "lastSeenAt",
        account.id AS "accountId", account.name, account.is_owner AS "isOwner", account.disabled_at AS "disabledAt",
        (${shownProjects(sight)}) AS projects
      FROM session JOIN account ON account.id = session.account_id WHERE session.token_sha256 = ${tokenSha256}`,
  )[0]
  if (found === undefined || !(await liveSession({ ...found, id: found.sessionId }, now))) return null
  const { sessionId, accountId, name, isOwner, projects } = found
  return { viewer: { kind: 'member', sessionId, accountId, name, isOwner }, projects }
}
