import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { makeDataFolder } from '../../shared-databases'
import { steadyRows, vegetaCsv } from '../../vegeta-csv'
import { startApp } from '../app'
import { faultsOf, operationOf } from './described-answers'
import { startReceiver } from '../receiver'
import { acceptOwner, accountsEnv, shareServer, webhookEnv } from '../../shared-servers'
import type { Asker, Thing } from './access-table'

/** What a request carries besides its body. */
export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'session'; readonly secret: string }
  | { readonly kind: 'token'; readonly token: string }

export interface Person {
  readonly email: string
  readonly password: string
  readonly name: string
  readonly session: Credential & { kind: 'session' }
}

interface Asked {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const idOf = z.object({ id: z.string() })
const urlOf = z.object({ url: z.string() })
const invited = z.object({ id: z.string(), url: z.string() })
const uploaded = z.object({ upload: idOf, runs: z.tuple([idOf]).rest(idOf) })
export const anonymous: Credential = { kind: 'none' }

export type Place = 'own' | 'foreign'

const attack = z
  .looseObject({ earliest: z.string(), latest: z.string(), end: z.string() })
  .parse(JSON.parse(await readFile('tests/fixtures/vegeta-json/attack-01-12.13.0.json', 'utf8')))

/** New vegeta output: an attack at another time. */
export function newOutput(): string {
  const byMs = randomInt(10_000_000_000)
  const moved = (time: string) => new Date(Date.parse(time) - byMs).toISOString()
  return JSON.stringify({
    ...attack,
    ...{ earliest: moved(attack.earliest), latest: moved(attack.latest), end: moved(attack.end) },
  })
}

/** An address that no project has. */
export const newSlug = (): string => `new-${randomBytes(8).toString('hex')}`

/** A server with accounts, people who are nobody else's, and the things of two projects of theirs. */
export class World {
  readonly #made = new Map<string, Promise<string>>()
  /** Operations of the API that succeeded and answered with JSON. */
  readonly answered = new Set<string>()
  private constructor(
    readonly app: ServedApp,
    /** The project that the askers have roles in, and one that none of them but the owner may know of. */
    readonly places: Readonly<Record<Place, string>>,
    readonly people: Readonly<Record<'owner' | 'admin' | 'editor' | 'viewer' | 'elsewhere' | 'spare', Person>>,
    readonly end: () => Promise<void>,
  ) {}

  /** Makes its people by invitations, on the server that all files share; with `env`, on one of its own. */
  static async start(env?: Readonly<Record<string, string>>): Promise<World> {
    const { app, end } = env === undefined ? await joinServer() : await startServer(env)
    const name = newSlug()
    const invite = async (inviter: Credential, place: string, body: unknown, role: string) => {
      const { url } = invited.parse(await (await ask(app, inviter, place, { method: 'POST', body })).json())
      return acceptAs(app, url.slice(-43), `${role}-${name}`)
    }
    const first: Credential = { kind: 'session', secret: app.ownerSession }
    const owner = await invite(first, '/api/v1/invitations', { email: null, isOwner: true }, 'owner')
    const places = { own: `${name}-own`, foreign: `${name}-foreign` } as const
    const elsewhere = `${name}-elsewhere`
    for (const slug of [...Object.values(places), elsewhere])
      await ask(app, owner.session, '/api/v1/projects', { method: 'POST', body: { name: 'Project', slug } })
    const toProject = (slug: string, role: string, person: string = role) =>
      invite(owner.session, `/api/v1/projects/${slug}/invitations`, { email: null, role }, person)
    const people = {
      owner,
      admin: await toProject(places.own, 'admin'),
      editor: await toProject(places.own, 'editor'),
      viewer: await toProject(places.own, 'viewer'),
      spare: await toProject(places.own, 'viewer', 'spare'),
      elsewhere: await toProject(elsewhere, 'admin', 'elsewhere'),
    }
    return new World(app, places, people, end)
  }

  /** Sends a request. Throws if the response does not match the API's description. */
  readonly ask = async (credential: Credential, path: string, asked: Asked = {}): Promise<Response> => {
    const response = await ask(this.app, credential, path, asked)
    const { method = 'GET' } = asked
    const operation = operationOf(method, path)
    if (operation !== null) {
      const { status, headers, ok } = response
      const type = headers.get('content-type')
      if (ok && type?.startsWith('application/json') === true) this.answered.add(operation)
      const sent = { method, address: path, status, type }
      const faults = faultsOf({ ...sent, text: await response.clone().text() })
      if (faults.length > 0) throw new Error(faults.slice(0, 5).join('\n'))
    }
    return response
  }

  /** The JSON of a success. Throws with the response otherwise. */
  async json<T>(schema: z.ZodType<T>, credential: Credential, path: string, asked: Asked = {}): Promise<T> {
    const response = await this.ask(credential, path, asked)
    const text = await response.text()
    if (!response.ok) throw new Error(`${asked.method ?? 'GET'} ${path}: ${response.status} ${text}`)
    return schema.parse(text === '' ? null : JSON.parse(text))
  }

  /** A new session of a person, by password. */
  async signIn({ email, password }: Person): Promise<Credential & { kind: 'session' }> {
    const response = await this.ask(anonymous, '/api/v1/session', { method: 'POST', body: { email, password } })
    return { kind: 'session', secret: cookieOf(response) }
  }

  /** Secret of a new invitation to the installation. */
  async invitation(): Promise<string> {
    const body = { email: null, isOwner: false }
    const asked = { method: 'POST', body }
    return (await this.json(invited, this.people.owner.session, '/api/v1/invitations', asked)).url.slice(-43)
  }

  /** A new account used by no other test, with its own sign-in limit. */
  async newcomer(): Promise<Person> {
    return acceptAs(this.app, await this.invitation(), newSlug())
  }

  /** A token of the admin, or of who is named, for the askers' project alone. */
  async token(scope: string, { session }: Person = this.people.admin, project: string | null = this.places.own) {
    const asked = { method: 'POST', body: { name: 'T', scope, project, days: 1 } }
    return this.json(z.object({ id: z.string(), token: z.string() }), session, '/api/v1/account/tokens', asked)
  }

  /** The person behind a requester, or the owner of their token. */
  personOf(asker: Asker): Person {
    const { owner, admin, editor, viewer, elsewhere } = this.people
    if (asker === 'owner') return owner
    if (asker === 'editor') return editor
    if (asker === 'viewer') return viewer
    return asker === 'member elsewhere' ? elsewhere : admin
  }

  async accountOf({ session }: Person): Promise<string> {
    return (await this.json(idOf, session, '/api/v1/account')).id
  }

  /** A thing in a place; created once. */
  thing(thing: Thing, place: Place, asker: Asker): Promise<string> {
    const isPersonal = place === 'own' && personal.has(thing)
    const key = `${thing} ${place} ${isPersonal ? this.personOf(asker).name : ''}`
    const found = this.#made.get(key) ?? this.make(thing, this.places[place], asker, place)
    this.#made.set(key, found)
    return found
  }

  /** A new project that the admin administers. */
  async project(): Promise<string> {
    const slug = newSlug()
    const asked = { method: 'POST', body: { name: 'New', slug } }
    await this.json(z.unknown(), this.people.admin.session, '/api/v1/projects', asked)
    return slug
  }

  /** A new thing in a project (for personal things, the requester's own or, elsewhere, someone else's). */
  async make(thing: Thing, slug: string, asker: Asker, place: Place): Promise<string> {
    const { owner } = this.people
    const root = `/api/v1/projects/${slug}`
    const read = <T>(schema: z.ZodType<T>, path: string) => this.json(schema, owner.session, `${root}${path}`)
    const post = <T>(schema: z.ZodType<T>, path: string, body?: unknown) =>
      this.json(schema, owner.session, `${root}${path}`, { method: 'POST', body })
    const remove = (path: string) => this.json(z.unknown(), owner.session, `${root}${path}`, { method: 'DELETE' })
    const put = (query: string, headers: Record<string, string> = {}) =>
      this.json(z.unknown(), owner.session, `${root}/uploads${query}`, { method: 'PUT', body: newOutput(), headers })
    const run = () => this.thing('run', place, asker)
    const person = place === 'own' ? this.personOf(asker) : this.people.spare
    switch (thing) {
      case 'run':
        return uploaded.parse(await put('')).runs[0].id
      case 'part': {
        // At the same time as the others, but different from all of them.
        const rows = steadyRows(100, 20_000, 0, 5_000_000 + randomInt(1_000_000_000))
        const asked = { method: 'PUT', body: vegetaCsv(rows) }
        return uploaded.parse(await this.json(z.unknown(), owner.session, `${root}/uploads`, asked)).runs[0].id
      }
      case 'compared run':
        return `${await run()}...${uploaded.parse(await put('')).runs[0].id}`
      case 'merged run': {
        const runs = [await this.make('part', slug, asker, place), await this.make('part', slug, asker, place)]
        return (await post(idOf, '/runs/merge', { runs })).id
      }
      case 'upload':
        return uploaded.parse(await put('')).upload.id
      case 'trashed run': {
        const { runs } = uploaded.parse(await put(''))
        await remove(`/runs/${runs[0].id}`)
        return runs[0].id
      }
      case 'trashed upload': {
        const { upload } = uploaded.parse(await put(''))
        await remove(`/uploads/${upload.id}`)
        return upload.id
      }
      case 'draft': {
        const { url } = urlOf.parse(await put('?draft=1'))
        return url.slice(-26)
      }
      case 'draft of samples': {
        const body = { kind: 'csv', latency: { column: 'took', unit: 'ms' } }
        await this.json(z.unknown(), owner.session, `${root}/mappings/samples`, { method: 'PUT', body })
        const sent = { method: 'PUT', body: `took\n${randomInt(1_000_000)}\n7\n` }
        return urlOf.parse(await this.json(z.unknown(), owner.session, `${root}/uploads?draft=1`, sent)).url.slice(-26)
      }
      case 'progress':
      case 'cancelled progress': {
        const id = randomUUID()
        await put('?draft=1', { 'upload-progress': id })
        return id
      }
      case 'series':
        return (await read(z.object({ seriesId: z.string() }), `/runs/${await run()}`)).seriesId
      case 'alert': {
        const settings = { kind: 'limit', metricId: 'mean', side: 'above', limit: 0, confirmRuns: 1 }
        const rule = await post(idOf, '/rules', { settings })
        // A separate series, because one that is already broken raises no second alert.
        const scenario = newSlug()
        await put(`?scenario=${scenario}`)
        for (let tries = 0; ; tries++) {
          if (tries > 200) throw new Error('no alert')
          const listed = z.object({
            alerts: z.array(z.object({ id: z.string(), series: z.object({ scenario: z.string() }).nullable() })),
          })
          const { alerts } = await read(listed, '/alerts')
          const own = alerts.find(({ series }) => series?.scenario === scenario)
          if (own === undefined) await sleep(50)
          else {
            const body = { settings, isEnabled: false }
            await this.json(z.unknown(), owner.session, `${root}/rules/${rule.id}`, { method: 'PUT', body })
            return own.id
          }
        }
      }
      case 'environment': {
        const name = newSlug()
        await put(`?environment=${name}`)
        return name
      }
      case 'annotation':
        return (await post(idOf, '/annotations', { kind: 'other', text: 'T' })).id
      case 'mapping': {
        const name = `mapping-${randomUUID()}`
        const body = { kind: 'csv', latency: { column: 'took', unit: 'ms' } }
        await this.json(z.unknown(), owner.session, `${root}/mappings/${name}`, { method: 'PUT', body })
        return name
      }
      case 'experiment':
        return (await post(idOf, '/experiments', { question: 'Q', base: 'a', head: 'b' })).id
      case 'session':
        return (await post(idOf, '/sessions', { base: 'a' })).id
      case 'measured session': {
        const { id } = await post(idOf, '/sessions', { base: 'a' })
        await post(z.unknown(), `/sessions/${id}/attempts`, { name: 'A' })
        return id
      }
      case 'comparison':
        return (
          await post(idOf, '/comparisons', {
            name: 'C',
            kind: 'runs',
            refs: await this.thing('compared run', place, asker),
          })
        ).id
      case 'rule':
        return (await post(idOf, '/rules', { settings: { kind: 'missing', hours: 24 } })).id
      case 'channel': {
        const made = await post(z.object({ channel: idOf }), '/channels', this.channel())
        return made.channel.id
      }
      case 'delivery': {
        const channel = await this.make('channel', slug, asker, place)
        await post(z.unknown(), `/channels/${channel}/test`)
        const listed = z.object({ deliveries: z.array(z.object({ id: z.string(), channelId: z.string() })) })
        const { deliveries } = await read(listed, '/deliveries')
        return deliveries.find((one) => one.channelId === channel)?.id ?? ''
      }
      case 'badge':
        return (await post(idOf, `/series/${await this.thing('series', place, asker)}/badges`, badge)).id
      case 'badge file': {
        const path = `/series/${await this.thing('series', place, asker)}/badges`
        const made = await post(z.object({ id: z.string(), url: z.string() }), path, badge)
        if (place === 'foreign') await remove(`/badges/${made.id}`)
        return made.url.split('/').at(-1) ?? ''
      }
      case 'share':
        return (await post(idOf, '/shares', await this.share(place))).id
      case 'share link': {
        const made = await post(invited, '/shares', await this.share(place))
        if (place === 'foreign') await remove(`/shares/${made.id}`)
        return made.url.slice(-43)
      }
      case 'why link': {
        const sides = (await this.thing('compared run', place, 'owner')).split('...').map((id) => [id])
        const made = await post(invited, '/shares', { name: 'Why', kind: 'comparison', sides, includeWhy: true })
        if (place === 'foreign') await remove(`/shares/${made.id}`)
        return made.url.slice(-43)
      }
      case 'invitation':
        return (await post(idOf, '/invitations', { email: null, role: 'viewer' })).id
      case 'invitation link': {
        const made = await post(invited, '/invitations', { email: null, role: 'viewer' })
        if (place === 'foreign') await remove(`/invitations/${made.id}`)
        return made.url.slice(-43)
      }
      case 'installation invitation': {
        if (place === 'foreign') return this.thing('invitation', 'own', asker)
        const asked = { method: 'POST', body: { email: null, isOwner: false } }
        return (await this.json(idOf, owner.session, '/api/v1/invitations', asked)).id
      }
      case 'member': {
        const who = place === 'own' ? await this.newcomer() : this.people.elsewhere
        if (place === 'own') await this.join(await post(invited, '/invitations', { email: null, role: 'viewer' }), who)
        return this.accountOf(who)
      }
      case 'token':
        return (await this.token('upload', owner, slug)).id
      case 'own token':
        return (await this.token('read', person, null)).id
      case 'own session': {
        const session = await this.signIn(person)
        const row = z.object({ id: z.string(), isOwn: z.boolean() })
        const { sessions } = await this.json(z.object({ sessions: z.array(row) }), session, '/api/v1/account/sessions')
        return sessions.find(({ isOwn }) => isOwn)?.id ?? ''
      }
      case 'any account':
        return this.accountOf(this.people.spare)
    }
  }

  channel() {
    return { kind: 'webhook', name: 'W', target: this.app.hook }
  }

  async share(place: Place) {
    return { name: 'S', kind: 'run', sides: [[await this.thing('run', place, 'owner')]], embeddable: true }
  }

  private async join({ url }: { readonly url: string }, who: Person): Promise<void> {
    const asked = { method: 'POST', body: { token: url.slice(-43) } }
    await this.json(z.unknown(), who.session, '/api/v1/invitations/accept', asked)
  }
}

/** One for each requester; elsewhere all share one that belongs to someone else. */
const personal: ReadonlySet<Thing> = new Set(['own session', 'own token'])
const badge = { metric: 'p99', label: 'p99' }

/** A server that a world is on. */
interface ServedApp {
  readonly url: string
  readonly pid: number
  /** The secret of a session of its first owner. */
  readonly ownerSession: string
  /** Where webhooks arrive. */
  readonly hook: string
  /** Everything it printed so far. */
  output(): Promise<string>
}

async function joinServer(): Promise<{ readonly app: ServedApp; end(): Promise<void> }> {
  const { url, pid, ownerSession, webhookPort, output } = await shareServer('accounts')
  const app = { url, pid, output, ownerSession: ownerSession ?? '', hook: `http://127.0.0.1:${webhookPort}/hook` }
  return { app, end: () => Promise.resolve() }
}

async function startServer(env: Readonly<Record<string, string>>): ReturnType<typeof joinServer> {
  const folder = await makeDataFolder()
  const receiver = await startReceiver()
  const own = await startApp({ dataFolder: folder, env: { ...accountsEnv(), ...webhookEnv(receiver.port), ...env } })
  const ownerSession = await acceptOwner(own.url, own.output())
  return {
    app: {
      url: own.url,
      pid: own.process.pid ?? 0,
      ownerSession,
      hook: `${receiver.url}/hook`,
      output: () => Promise.resolve(own.output()),
    },
    end: async () => {
      await own.stop()
      await receiver.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

let clients = 0
/** Each request has its own client address: limits per address are tested elsewhere. */
const newClient = () => `10.${(clients += 1) >> 16}.${(clients >> 8) & 255}.${clients & 255}`

async function ask(
  app: ServedApp,
  credential: Credential,
  path: string,
  { method = 'GET', body, headers = {} }: Asked,
): Promise<Response> {
  const own: Record<string, string> = { accept: 'application/json', 'x-forwarded-for': newClient() }
  if (credential.kind === 'token') own.authorization = `Bearer ${credential.token}`
  if (credential.kind === 'session') own.cookie = `__Host-tailboard=${credential.secret}`
  if (method !== 'GET') own.origin = app.url
  own['x-forwarded-for'] = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
  const asIs = typeof body === 'string' || body instanceof URLSearchParams
  const sent = body === undefined ? {} : { body: asIs ? body : JSON.stringify(body) }
  return fetch(app.url + path, {
    method,
    redirect: 'manual',
    headers: { ...own, ...headers },
    ...sent,
    signal: AbortSignal.timeout(30_000),
  }).catch((error: unknown) => {
    throw new Error(`${method} ${path}: ${String(error)}`)
  })
}

/** The session that a response starts. Throws with its text if it starts none. */
export function cookieOf(response: Response): string {
  const secret = /__Host-tailboard=([\w-]{43})/.exec(response.headers.get('set-cookie') ?? '')?.[1]
  if (secret === undefined) throw new Error(`No session began: ${response.status}`)
  return secret
}

async function acceptAs(app: ServedApp, token: string, name: string): Promise<Person> {
  const person = { email: `${name}@example.com`, password: `${name} has a long password`, name }
  const response = await ask(app, anonymous, '/api/v1/invitations/accept', {
    method: 'POST',
    body: { token, ...person },
  })
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`)
  return { ...person, session: { kind: 'session', secret: cookieOf(response) } }
}
