import { settings } from '@/app/_server/settings'
import { roleAllows } from '@/lib/viewer'
import { listChannels } from '@/prisma/queries/alerts/channels'
import { listDeliveries } from '@/prisma/queries/alerts/deliveries'
import { countRuleAlerts } from '@/prisma/queries/alerts/rule-history'
import { listRules } from '@/prisma/queries/alerts/rules'
import { listInvitations } from '@/prisma/queries/accounts/invitations'
import { listMembers } from '@/prisma/queries/accounts/members'
import { listProjectTokens } from '@/prisma/queries/accounts/tokens'
import { getProject, getRetention, grant } from '@/prisma/queries/projects/projects'
import { listEnvironments } from '@/prisma/queries/series/environments'
import { listSeries } from '@/prisma/queries/series/series'
import { foundOr404, type openProject } from '../open-project'

type Opened = Pick<Awaited<ReturnType<typeof openProject>>, 'viewer' | 'project' | 'granted'>

/** What the sections of a project's settings show. `members` null: a server without accounts. */
export async function loadSettings({ viewer, project, granted }: Opened) {
  const now = new Date()
  const [retention, summary] = await foundOr404(Promise.all([getRetention(granted), getProject(viewer, project.slug)]))
  const rules = { rules: await listRules(granted), counts: await countRuleAlerts(granted) }
  const sent = { channels: await listChannels(granted), deliveries: await listDeliveries(granted) }
  return {
    retention,
    summary,
    environments: {
      ...{ slug: project.slug, rule: summary.controlRule },
      environments: await listEnvironments(granted),
    },
    rules: { project, ...rules, series: await listSeries(granted), now: now.toISOString() },
    channels: { slug: project.slug, ...sent, canMail: settings().mail !== null, nowMs: now.getTime() },
    members: await loadMembers({ viewer, project, granted }, now),
  }
}

async function loadMembers({ viewer, project, granted }: Opened, now: Date) {
  if (viewer.kind !== 'member') return null
  const members = await listMembers(granted)
  const administered = roleAllows(project.role, 'administer')
    ? {
        invitations: await listInvitations(viewer, project.id, now),
        tokens: await listProjectTokens(await grant(viewer, project, 'administer')),
      }
    : null
  return { slug: project.slug, members, administered, ownId: viewer.accountId, nowMs: now.getTime() }
}
