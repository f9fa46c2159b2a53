import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { roleAllows, scopeAllows, type Need, type Role, type TokenScope } from '../../../lib/viewer'

/** The kinds of requesters, by their credentials. Tokens belong to the admin's account and the project of the row. */
export const askers = [
  ...(['anonymous', 'share link', 'badge link', 'upload token', 'read token', 'admin token'] as const),
  ...(['viewer', 'editor', 'admin', 'member elsewhere', 'owner'] as const),
] as const
export type Asker = (typeof askers)[number]

/** `yes`: 2xx. `sign-in`: redirects to the sign-in page. `home`: redirects to home. */
export type Right = 'yes' | 'sign-in' | 'home' | 401 | 403 | 404

const row = (...rights: readonly Right[]): Readonly<Record<Asker, Right>> => {
  const entries = askers.map((asker, at) => [asker, rights[at]])
  return Object.fromEntries(entries) as Readonly<Record<Asker, Right>>
}

/** Follows the roles and scopes of `lib/viewer`, which have their own test. */
function ofProject(need: Need): Readonly<Record<Asker, Right>> {
  const scoped = (scope: TokenScope): Right => (scopeAllows(scope, need) ? 'yes' : 403)
  const member = (role: Role): Right => (roleAllows(role, need) ? 'yes' : 403)
  const tokens = [scoped('upload'), scoped('read'), scoped('admin')] as const
  return row(401, 401, 401, ...tokens, member('viewer'), member('editor'), member('admin'), 404, 'yes')
}

/** What each requester gets, by the kind of the route. In the order of `askers`. */
export const rightsOf = {
  /** Everyone, signed in or not. */
  open: row('yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes'),
  /** No one: nothing is behind a page's address, and this server has no OpenID Connect. */
  none: row(404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404),
  read: ofProject('read'),
  /** The verdict on an upload: for readers, and for the sender. */
  verdict: row(401, 401, 401, 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 404, 'yes'),
  upload: ofProject('upload'),
  edit: ofProject('edit'),
  administer: ofProject('administer'),
  /** The requester's own: an account, its projects. */
  account: row(401, 401, 401, 403, 403, 404, 'yes', 'yes', 'yes', 'yes', 'yes'),
  projects: row(401, 401, 401, 403, 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes'),
  owner: row(401, 401, 401, 403, 403, 404, 404, 404, 404, 404, 'yes'),
  /** Pages accept sessions only. */
  page: row('sign-in', 'sign-in', 'sign-in', 'sign-in', 'sign-in', 'sign-in', 'yes', 'yes', 'yes', 404, 'yes'),
  frame: row('sign-in', 'sign-in', 'sign-in', 'sign-in', 'sign-in', 'sign-in', 'yes', 'yes', 'yes', 'yes', 'yes'),
  ownerPage: row('sign-in', 'sign-in', 'sign-in', 'sign-in', 'sign-in', 'sign-in', 404, 404, 404, 404, 'yes'),
  adminPage: row('sign-in', 'sign-in', 'sign-in', 'sign-in', 'sign-in', 'sign-in', 404, 404, 'yes', 404, 'yes'),
  /** Anyone with valid credentials; its tools show what the viewer may read. */
  agents: row(401, 401, 401, 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes'),
  signIn: row('yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'home', 'home', 'home', 'home', 'home'),
} as const satisfies Readonly<Record<string, Readonly<Record<Asker, Right>>>>

/** Things in a project, an account or a link that addresses name; world.ts creates them. */
export type Thing =
  | (
      | 'alert'
      | 'annotation'
      | 'badge'
      | 'channel'
      | 'comparison'
      | 'experiment'
      | 'session'
      | 'measured session'
      | 'delivery'
      | 'environment'
      | 'invitation'
      | 'mapping'
      | 'member'
      | 'rule'
      | 'run'
    )
  | 'compared run'
  | 'part'
  | (
      | 'series'
      | 'share'
      | 'token'
      | 'upload'
      | 'draft'
      | 'draft of samples'
      | 'trashed run'
      | 'trashed upload'
      | 'progress'
      | 'cancelled progress'
      | 'merged run'
    )
  | ('any account' | 'installation invitation' | 'own session' | 'own token')
  | ('share link' | 'why link' | 'badge file' | 'invitation link')

export interface Row {
  readonly rights: keyof typeof rightsOf
  /** What the address names besides the project, by the name of its part. */
  readonly thing?: readonly [part: string, thing: Thing]
  /** The other parts of the address. */
  readonly parts?: Readonly<Record<string, string>>
  readonly query?: string
  /** The smallest accepted body. A text is sent as it is; a function is called for each request. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** A success changes the thing permanently, so each requester has its own. */
  readonly usesUp?: true
  /** A missing thing cannot be distinguished from an existing one: both succeed. */
  readonly neverMissing?: true
  /** Ends or changes credentials that other rows use: runs after them, with its own session. */
  readonly ownSession?: true
  /** Nothing is behind the address. */
  readonly isMissing?: true
  /** Redirects to another page of the project. */
  readonly isMoved?: true
}

type More = Omit<Row, 'rights' | 'thing'>
const rowsOf =
  (rights: Row['rights']) =>
  (thing?: Row['thing'], more: More = {}): Row => ({ rights, ...(thing === undefined ? {} : { thing }), ...more })

const open = rowsOf('open')
const none = rowsOf('none')
const read = rowsOf('read')
const edit = rowsOf('edit')
const upload = rowsOf('upload')
const administer = rowsOf('administer')
const account = rowsOf('account')
const owner = rowsOf('owner')
const page = rowsOf('page')

/** Pages directly below a project's address: all of its viewers may open them, unless the table says otherwise. */
const projectFolder = path.join(import.meta.dirname, '../../../app/p/[project]')
const pagesOfProject = Object.fromEntries(
  readdirSync(projectFolder)
    .filter((name) => existsSync(path.join(projectFolder, name, 'page.tsx')))
    .map((name) => [`PAGE /p/[project]/${name}`, page()]),
)

const p = '/api/v1/projects/[project]'
const used = { usesUp: true } as const
const columns = { kind: 'csv', latency: { column: 'took', unit: 'ms' } }
const rule = { settings: { kind: 'missing', hours: 24 } }

/** Filled in by the test: values that only the running server knows. */
export const filled = {
  /** Correct name and password of some account. */
  credentials: Symbol('credentials'),
  /** The requester's own password, before and after. */
  samePassword: Symbol('same password'),
  /** The secret of a new invitation, and what a new account needs. */
  invitation: Symbol('invitation'),
  /** Output of a load generator, new each time. */
  output: Symbol('output'),
  /** The same, as a page's form sends it. */
  form: Symbol('form'),
  /** A comparison of two runs. */
  comparison: Symbol('comparison'),
  /** A member of the project, a different one for each requester. */
  assignee: Symbol('assignee'),
  /** A run of the project, as a share's only side. */
  share: Symbol('share'),
  /** An edit of runs of the project together. */
  bulk: Symbol('bulk'),
  /** Two new runs of the project. */
  merge: Symbol('merge'),
  /** An address that no project has. */
  newProject: Symbol('new project'),
  /** A channel to the test's receiver. */
  channel: Symbol('channel'),
  /** The project itself, as the target of a move. */
  move: Symbol('move'),
} as const

/**
 * What every route returns to every requester. A key is the method and the route, `PAGE` for pages; the part after `#`
 * distinguishes two bodies of one route.
 */
export const accessTable: Readonly<Record<string, Row>> = {
  'GET /healthz': open(),
  'GET /readyz': open(),
  /** The page without a server. */
  'GET /viewer': open(),
  /** This server has no metrics token. */
  'GET /metrics': none(),
  'POST /mcp': {
    rights: 'agents',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: { jsonrpc: '2.0', id: 1, method: 'ping' },
  },
  'GET /api/v1/openapi.json': open(),
  'POST /api/v1/session': open(undefined, { body: filled.credentials }),
  'POST /api/v1/session/end': account(undefined, { ownSession: true }),
  'GET /api/v1/session/oidc': none(),
  'GET /api/v1/session/oidc/callback': none(),
  'POST /api/v1/invitations/accept': open(undefined, { body: filled.invitation }),

  'GET /api/v1/account': account(),
  'PATCH /api/v1/account': account(undefined, { body: { name: 'Ada' } }),
  'PUT /api/v1/account/password': {
    rights: 'account',
    body: filled.samePassword,
    ownSession: true,
  },
  'GET /api/v1/account/sessions': account(),
  'DELETE /api/v1/account/sessions/[session]': account(['session', 'own session'], used),
  'GET /api/v1/account/tokens': account(),
  'POST /api/v1/account/tokens': account(undefined, { body: { name: 'T', scope: 'read', project: null, days: 1 } }),
  'DELETE /api/v1/account/tokens/[token]': account(['token', 'own token'], used),

  'GET /api/v1/accounts': owner(),
  'PATCH /api/v1/accounts/[account]': owner(['account', 'any account'], { body: {} }),
  'DELETE /api/v1/accounts/[account]/oidc': owner(['account', 'any account']),
  'GET /api/v1/audit': owner(),
  'GET /api/v1/invitations': owner(),
  'POST /api/v1/invitations': owner(undefined, { body: { email: null, isOwner: false } }),
  'DELETE /api/v1/invitations/[invitation]': owner(['invitation', 'installation invitation'], used),

  'GET /api/v1/projects': { rights: 'projects' },
  'POST /api/v1/projects': account(undefined, { body: filled.newProject }),
  [`GET ${p}`]: read(),
  [`PATCH ${p}`]: administer(undefined, { body: {} }),
  [`DELETE ${p}`]: administer(undefined, used),
  [`GET ${p}/audit`]: administer(),
  [`GET ${p}/retention`]: read(),
  [`PUT ${p}/retention`]: administer(undefined, { body: { keepRawDays: null, keepRunsDays: null } }),
  [`GET ${p}/members`]: read(),
  [`PATCH ${p}/members/[account]`]: administer(['account', 'member'], { body: { role: 'viewer' } }),
  [`DELETE ${p}/members/[account]`]: administer(['account', 'member'], used),
  [`GET ${p}/invitations`]: administer(),
  [`POST ${p}/invitations`]: administer(undefined, { body: { email: null, role: 'viewer' } }),
  [`DELETE ${p}/invitations/[invitation]`]: administer(['invitation', 'invitation'], used),
  [`GET ${p}/tokens`]: administer(),
  [`DELETE ${p}/tokens/[token]`]: administer(['token', 'token'], used),

  [`GET ${p}/runs`]: read(),
  [`GET ${p}/runs.csv`]: read(),
  [`POST ${p}/runs/bulk`]: edit(undefined, { body: filled.bulk }),
  [`GET ${p}/runs/merge`]: read(),
  [`POST ${p}/runs/merge`]: edit(undefined, { body: filled.merge }),
  [`GET ${p}/runs/[run]`]: read(['run', 'run']),
  [`PATCH ${p}/runs/[run]`]: edit(['run', 'run'], { body: {} }),
  [`DELETE ${p}/runs/[run]`]: edit(['run', 'run'], used),
  [`POST ${p}/runs/[run]/restore`]: edit(['run', 'trashed run'], used),
  [`POST ${p}/runs/[run]/split`]: edit(['run', 'merged run'], used),
  [`POST ${p}/runs/[run]/move`]: edit(['run', 'run'], { body: filled.move }),
  [`PUT ${p}/runs/[run]/baseline`]: edit(['run', 'run']),
  [`DELETE ${p}/runs/[run]/baseline`]: edit(['run', 'run']),
  [`GET ${p}/runs/[run]/files/[file]`]: read(['run', 'run'], { parts: { file: 'percentiles.csv' } }),
  [`GET ${p}/runs/[run]/why`]: read(['run', 'run'], { query: 'above=1' }),
  [`GET ${p}/compare/[refs]/why`]: read(['refs', 'compared run']),
  [`GET ${p}/compare/[refs]/[file]`]: read(['refs', 'compared run'], { parts: { file: 'data.json' } }),
  [`GET ${p}/matrix/[file]`]: read(undefined, { parts: { file: 'data.json' } }),
  [`GET ${p}/capacity`]: read(undefined, { query: 'slo=p99<100ms' }),
  [`GET ${p}/changes`]: read(),
  [`GET ${p}/search`]: read(undefined, { query: 'text=a' }),
  [`GET ${p}/environments`]: read(),
  [`GET ${p}/environments/[environment]`]: read(['environment', 'environment']),
  [`PATCH ${p}/series/[series]`]: edit(['series', 'series'], { body: { control: true } }),
  [`GET ${p}/series/[series]/badges`]: read(['series', 'series']),
  [`POST ${p}/series/[series]/badges`]: edit(['series', 'series'], { body: { metric: 'p99', label: 'p99' } }),
  [`DELETE ${p}/badges/[badge]`]: edit(['badge', 'badge'], used),
  [`GET ${p}/series/[series]/fan`]: read(['series', 'series']),

  [`GET ${p}/uploads`]: read(),
  [`PUT ${p}/uploads`]: upload(undefined, { body: filled.output }),
  [`POST ${p}/uploads`]: upload(undefined, { body: filled.output }),
  [`PUT ${p}/uploads/[upload]`]: upload(undefined, { parts: { upload: 'out.txt' }, body: filled.output }),
  [`GET ${p}/uploads/[upload]`]: read(['upload', 'upload']),
  [`DELETE ${p}/uploads/[upload]`]: edit(['upload', 'upload'], used),
  [`GET ${p}/uploads/[upload]/raw`]: read(['upload', 'upload']),
  [`GET ${p}/uploads/[upload]/gate`]: { rights: 'verdict', thing: ['upload', 'upload'], query: 'wait=1' },
  [`POST ${p}/uploads/[upload]/reimport`]: edit(['upload', 'upload']),
  [`POST ${p}/uploads/[upload]/merge`]: read(['upload', 'draft'], { body: { edits: [], merge: [0] } }),
  [`POST ${p}/uploads/[upload]/map`]: edit(['upload', 'draft of samples'], { body: { mapping: 'samples' } }),
  [`POST ${p}/uploads/[upload]/restore`]: edit(['upload', 'trashed upload'], used),
  [`POST ${p}/uploads/[upload]/save`]: edit(['upload', 'draft'], { ...used, body: { edits: [] } }),
  [`GET ${p}/uploads/progress/[id]`]: read(['id', 'progress'], used),
  [`DELETE ${p}/uploads/progress/[id]`]: upload(['id', 'cancelled progress'], { ...used, neverMissing: true }),
  'POST /p/[project]/upload/form': upload(undefined, { isMoved: true, body: filled.form }),
  [`GET ${p}/trash`]: read(),
  [`POST ${p}/trash`]: edit(undefined, { body: { action: 'restore' } }),
  [`POST ${p}/trash#destroy`]: administer(undefined, { body: { action: 'destroy' } }),

  [`GET ${p}/experiments`]: read(),
  [`POST ${p}/experiments`]: edit(undefined, { body: { question: 'Q', base: 'a', head: 'b' } }),
  [`GET ${p}/experiments/[experiment]`]: read(['experiment', 'experiment']),
  [`GET ${p}/experiments/[experiment]/experiment.md`]: read(['experiment', 'experiment']),
  [`POST ${p}/experiments/[experiment]/next`]: upload(['experiment', 'experiment']),
  [`POST ${p}/experiments/[experiment]/void`]: upload(['experiment', 'experiment'], {
    body: { round: 1, arm: 'base', reason: 'exit 1' },
    ...used,
  }),
  [`POST ${p}/experiments/[experiment]/stop`]: edit(['experiment', 'experiment'], used),
  [`GET ${p}/sessions`]: read(),
  [`POST ${p}/sessions`]: edit(undefined, { body: { base: 'a' } }),
  [`GET ${p}/sessions/[session]`]: read(['session', 'session']),
  [`POST ${p}/sessions/[session]/attempts`]: edit(['session', 'session'], { body: { name: 'A' }, ...used }),
  [`POST ${p}/sessions/[session]/next`]: upload(['session', 'session']),
  [`POST ${p}/sessions/[session]/void`]: upload(['session', 'measured session'], {
    body: { round: 1, arm: 'best', reason: 'exit 1' },
    ...used,
  }),
  [`POST ${p}/sessions/[session]/conclude`]: edit(['session', 'session'], used),
  [`GET ${p}/comparisons`]: read(),
  [`POST ${p}/comparisons`]: edit(undefined, { body: filled.comparison }),
  [`GET ${p}/comparisons/[comparison]`]: read(['comparison', 'comparison']),
  [`PATCH ${p}/comparisons/[comparison]`]: edit(['comparison', 'comparison'], { body: {} }),
  [`DELETE ${p}/comparisons/[comparison]`]: edit(['comparison', 'comparison'], used),
  [`PUT ${p}/cell-notes`]: edit(undefined, { body: { scenario: 'S', variant: null, environment: null, text: 'T' } }),
  [`GET ${p}/mappings`]: read(),
  [`GET ${p}/mappings/[mapping]`]: read(['mapping', 'mapping']),
  [`PUT ${p}/mappings/[mapping]`]: edit(undefined, { parts: { mapping: 'own' }, body: columns }),
  [`DELETE ${p}/mappings/[mapping]`]: edit(['mapping', 'mapping'], used),
  [`GET ${p}/annotations`]: read(),
  [`POST ${p}/annotations`]: edit(undefined, { body: { kind: 'deploy', text: 'T' } }),
  [`DELETE ${p}/annotations/[annotation]`]: edit(['annotation', 'annotation'], used),
  [`GET ${p}/shares`]: read(),
  [`POST ${p}/shares`]: edit(undefined, { body: filled.share }),
  [`PATCH ${p}/shares/[share]`]: edit(['share', 'share'], { body: { embeddable: true } }),
  [`DELETE ${p}/shares/[share]`]: edit(['share', 'share'], used),

  [`GET ${p}/alerts`]: read(),
  [`GET ${p}/alerts/[alert]`]: read(['alert', 'alert']),
  [`POST ${p}/alerts/[alert]/move`]: edit(['alert', 'alert'], { ...used, body: { to: 'acknowledged' } }),
  [`POST ${p}/alerts/[alert]/assign`]: edit(['alert', 'alert'], { body: filled.assignee }),
  [`POST ${p}/alerts/[alert]/comments`]: edit(['alert', 'alert'], { body: { text: 'T' } }),
  [`GET ${p}/rules`]: read(),
  [`POST ${p}/rules`]: edit(undefined, { body: rule }),
  [`PUT ${p}/rules/[rule]`]: edit(['rule', 'rule'], { body: rule }),
  [`DELETE ${p}/rules/[rule]`]: edit(['rule', 'rule'], used),
  [`GET ${p}/channels`]: read(),
  [`POST ${p}/channels`]: administer(undefined, { body: filled.channel }),
  [`PATCH ${p}/channels/[channel]`]: administer(['channel', 'channel'], { body: {} }),
  [`DELETE ${p}/channels/[channel]`]: administer(['channel', 'channel'], used),
  [`POST ${p}/channels/[channel]/test`]: administer(['channel', 'channel']),
  [`GET ${p}/deliveries`]: read(),
  [`POST ${p}/deliveries/[delivery]/replay`]: administer(['delivery', 'delivery'], used),

  'GET /badge/[file]': open(['file', 'badge file']),
  'PAGE /s/[token]': open(['token', 'share link']),
  'PAGE /s/[token]/why': open(['token', 'why link']),
  'GET /s/[token]/[file]': open(['token', 'share link'], { parts: { file: 'data.csv' } }),
  'GET /s/[token]/embed': open(['token', 'share link']),
  'GET /s/oembed': { ...open(), isMissing: true },

  'PAGE /': { rights: 'frame' },
  'PAGE /learn': { rights: 'frame' },
  'PAGE /learn/api': { rights: 'frame' },
  'PAGE /learn/tools/[tool]': { rights: 'frame', parts: { tool: 'k6' } },
  'PAGE /learn/[topic]': { rights: 'frame', parts: { topic: 'percentile-plot' } },
  'PAGE /account': { rights: 'frame' },
  'PAGE /people': { rights: 'ownerPage' },
  'PAGE /people/audit': { rights: 'ownerPage' },
  'PAGE /sign-in': { rights: 'signIn' },
  'PAGE /invitations/[token]': open(['token', 'invitation link']),
  'PAGE /p/[project]': page(),
  ...pagesOfProject,
  'PAGE /p/[project]/[...missing]': none(undefined, { parts: { missing: 'nothing' } }),
  'PAGE /p/[project]/alerts/[alert]': page(['alert', 'alert']),
  'PAGE /p/[project]/audit': { rights: 'adminPage' },
  'PAGE /p/[project]/compare/[refs]': page(['refs', 'compared run']),
  'PAGE /p/[project]/compare/[refs]/why': page(['refs', 'compared run']),
  'PAGE /p/[project]/comparisons/[comparison]': page(['comparison', 'comparison']),
  'PAGE /p/[project]/environments/[environment]': page(['environment', 'environment']),
  'PAGE /p/[project]/experiments/[experiment]': page(['experiment', 'experiment']),
  'PAGE /p/[project]/experiments/new': page(),
  'PAGE /p/[project]/runs/[run]': page(['run', 'run']),
  'PAGE /p/[project]/runs/[run]/why': page(['run', 'run']),
  'PAGE /p/[project]/channels': page(undefined, { isMoved: true }),
  'PAGE /p/[project]/members': page(undefined, { isMoved: true }),
  'PAGE /p/[project]/rules': page(undefined, { isMoved: true }),
  'PAGE /p/[project]/shares': page(undefined, { isMoved: true }),
  'PAGE /p/[project]/trends/[series]': page(['series', 'series']),
  'PAGE /p/[project]/upload/[upload]': page(['upload', 'upload']),
  'PAGE /p/[project]/upload/many': page(undefined, { isMoved: true }),
}

/** The route of a row: the part after `#` distinguishes several rows of one route. */
export const routeOf = (key: string): string => key.split('#')[0] ?? ''
