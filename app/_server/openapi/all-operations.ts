import * as account from '../operations/accounts/account'
import * as accounts from '../operations/accounts/accounts'
import * as audit from '../operations/accounts/audit'
import * as invitations from '../operations/accounts/invitations'
import * as members from '../operations/accounts/members'
import * as tokens from '../operations/accounts/tokens'
import * as alerts from '../operations/alerts'
import * as annotations from '../operations/annotations'
import * as badges from '../operations/badges'
import * as baselines from '../operations/runs/baselines'
import * as cellNotes from '../operations/cell-notes'
import * as changes from '../operations/changes'
import * as channels from '../operations/channels'
import * as comparisons from '../operations/comparisons'
import * as attemptSessions from '../operations/attempt-sessions'
import * as experiments from '../operations/experiments'
import * as drafts from '../operations/runs/drafts'
import * as capacity from '../operations/capacity'
import * as why from '../operations/why'
import * as environments from '../operations/environments'
import * as mappings from '../operations/mappings'
import * as merges from '../operations/runs/merges'
import type { Operation, Operations } from '../operations/operation'
import { ownRoutes } from '../operations/own-routes'
import * as projects from '../operations/projects'
import * as retention from '../operations/retention'
import * as rules from '../operations/rules'
import * as runs from '../operations/runs/runs'
import * as search from '../operations/search'
import * as series from '../operations/series'
import * as shares from '../operations/shares'
import * as trash from '../operations/trash'
import { uploadRoutes } from '../operations/runs/upload-routes'
import * as uploads from '../operations/runs/uploads'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Operations by method and route, with the routes of each noun together, in the order of their addresses. */
function byAddress(...nouns: readonly Readonly<Record<string, Operation & { readonly at: string }>>[]): Operations {
  const order = ({ at }: { readonly at: string }) => {
    const [method = '', address = ''] = at.split(' ')
    return `${address} ${methods.indexOf(method)}`
  }
  const sorted = nouns.flatMap((noun) => Object.values(noun).sort((one, other) => (order(one) < order(other) ? -1 : 1)))
  return Object.fromEntries(sorted.map((one) => [one.at, one]))
}

/** Every operation of the API, in the order of the reference. */
export const allOperations: Operations = {
  ...byAddress(
    projects,
    changes,
    retention,
    trash,
    search,
    annotations,
    cellNotes,
    mappings,
    comparisons,
    experiments,
    attemptSessions,
    shares,
    capacity,
    why,
    environments,
    series,
    badges,
  ),
  ...byAddress(runs, merges, baselines, uploads, drafts),
  ...uploadRoutes,
  ...byAddress(alerts, rules, channels),
  ...byAddress(account, tokens, accounts, audit, invitations, members),
  ...ownRoutes,
}
