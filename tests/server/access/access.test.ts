import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPath } from '@/app/_server/http/request-path'
import { accessTable, askers, rightsOf, routeOf, type Asker, type Right, type Row } from './access-table'
import { jsonOperations } from './described-answers'
import { bodyOf, pathOf } from './fill-row'
import { anonymous, World, type Credential, type Place } from './world'

const atOnce = 6
/** `npm run test:access`: every requester for every row. */
const isWhole = process.env['TAILBOARD_ACCESS'] !== undefined

const byStrength = [
  ...(['anonymous', 'badge link', 'share link', 'member elsewhere', 'upload token', 'read token'] as const),
  ...(['viewer', 'editor', 'admin token', 'admin', 'owner'] as const),
]

/** The requesters at the edge of a right: the weakest who has it, and the strongest who has not. */
function atTheEdge(row: Row): readonly Asker[] {
  const has = (asker: Asker) => rightsOf[row.rights][asker] === 'yes'
  return [byStrength.find(has) ?? [], byStrength.findLast((asker) => !has(asker)) ?? []].flat()
}

/** One address of a route, by what its parts name. */
interface Target {
  readonly level: 'own' | 'project' | 'thing'
  readonly what: 'own' | 'foreign' | 'missing' | 'malformed'
  readonly project: string
  readonly thing: string
}

interface Outcome {
  readonly name: string
  readonly status: number
  readonly location: string | null
  /** A response without what differs between equivalent responses, and without the request's own words. */
  readonly body: string
}

let world: World
let credentials: Readonly<Record<Asker, Credential>>

beforeAll(async () => {
  world = await World.start()
  const { viewer, editor, admin, elsewhere, owner } = world.people
  const link = async (kind: 'share link' | 'badge file') => (await world.thing(kind, 'own', 'owner')).slice(0, 43)
  const token = async (scope: string): Promise<Credential> => ({
    kind: 'token',
    token: (await world.token(scope)).token,
  })
  credentials = {
    anonymous,
    // As long as a session's secret, which it must not pass for.
    'share link': { kind: 'session', secret: await link('share link') },
    'badge link': { kind: 'token', token: await link('badge file') },
    'upload token': await token('upload'),
    'read token': await token('read'),
    'admin token': await token('admin'),
    viewer: viewer.session,
    editor: editor.session,
    admin: admin.session,
    'member elsewhere': elsewhere.session,
    owner: owner.session,
  }
})
afterAll(() => world.end())

async function send(key: string, row: Row, asker: Asker, target: Target, own?: Credential): Promise<Outcome> {
  const isMember = rightsOf.frame[asker] === 'yes'
  const fresh =
    row.ownSession === true && isMember && own === undefined ? await world.signIn(world.personOf(asker)) : null
  const address = pathOf(key, row, target)
  const method = routeOf(key).split(' ')[0]?.replace('PAGE', 'GET') ?? ''
  const isPage = key.startsWith('PAGE')
  const response = await world.ask(fresh ?? own ?? credentials[asker], address, {
    method,
    ...(row.body === undefined ? {} : { body: await bodyOf(world, row, asker) }),
    headers: isPage ? { accept: 'text/html' } : (row.headers ?? {}),
  })
  const body = await response.text()
  return {
    name: `${key} · ${asker} · ${target.level} ${target.what}`,
    status: response.status,
    location: response.headers.get('location'),
    body: plain(body, [target.project, target.thing]),
  }
}

/** A body without the request's words, values that are new each time, and changes by the other rows. */
function plain(body: string, words: readonly string[]): string {
  let text = body.replace(
    /nonce[^ >]{2,60}|"requestId":"[^"]*"|"b":"[^"]*"|\\"b\\":\\"[^"]*\\"|"openAlerts\\":\d+/g,
    '',
  )
  for (const word of words.filter((one) => one !== '').flatMap((one) => [one, decodeURIComponent(one)]))
    text = text.replaceAll(word, '…')
  return text
}

/** The expected result for a requester and target; null: not requested. */
function rightAt(row: Row, asker: Asker, target: Target): Right | null {
  const right = rightsOf[row.rights][asker]
  if (target.what === 'own' || right === 'sign-in' || right === 'home' || right === 401) return right
  const isToken = credentials[asker].kind === 'token'
  // A token without read access learns nothing about what exists; another knows its project only.
  if (right === 403 && isToken) return asker === 'read token' && target.level === 'project' ? 404 : 403
  if (target.level === 'thing') return right === 'yes' ? (row.neverMissing === true ? 'yes' : 404) : right
  if (asker === 'owner' && target.what === 'foreign') return null
  return 404
}

function isRight(row: Row, right: Right, target: Target, { status, location }: Outcome): boolean {
  // The server routes no invalid path, for anyone.
  if (target.what === 'malformed' && readPath(`/${target.project}/${target.thing}`) === null) return status === 400
  if (target.what === 'malformed' && (right === 404 || right === 'yes') && status === 400) return true
  if (right === 'sign-in') return status === 307 && location?.startsWith('/sign-in?next=') === true
  if (right === 'home') return status === 307 && location === '/'
  if (right !== 'yes') return status === right
  if (row.isMissing === true) return status === 404
  if (row.isMoved === true) return [303, 307].includes(status) && location?.startsWith('/p/') === true
  return status >= 200 && status < 300
}

const malformed = ['NOT-AN-ID', 'a%00b', 'x'.repeat(300), '%F0%9F%92%A9', '..%5c..', "a'--"]

async function targetsOf(key: string, row: Row, asker: Asker): Promise<readonly Target[]> {
  const at = askers.indexOf(asker)
  const hasProject = key.includes('[project]')
  const thing = async (place: Place) => (row.thing === undefined ? '' : world.thing(row.thing[1], place, asker))
  const own: Target = { level: 'own', what: 'own', project: world.places.own, thing: await thing('own') }
  const bad = malformed[at % malformed.length] ?? ''
  const id = '0123456789abcdefghijklmnop'
  const link = 'A'.repeat(43)
  const absent: Partial<Record<string, string>> = {
    ...{ token: link, file: `${link}.svg`, refs: `${id}...${id}`, id: '2c1b6c5e-7d0d-4b7c-9c0e-3d8f4d0f6a11' },
  }
  const missing = absent[row.thing?.[0] ?? ''] ?? id
  const of = (level: Target['level'], what: Target['what'], project: string, name: string): Target => {
    return { level, what, project, thing: name }
  }
  const projects = [
    of('project', 'foreign', world.places.foreign, await thing('foreign')),
    of('project', 'missing', 'access-missing', missing),
    of('project', 'malformed', bad, own.thing),
  ]
  const things = [
    of('thing', 'foreign', world.places.own, await thing('foreign')),
    of('thing', 'missing', world.places.own, missing),
    of('thing', 'malformed', world.places.own, bad),
  ]
  const isInstallation = row.thing?.[1] === 'any account'
  return [own, ...(hasProject ? projects : []), ...(row.thing === undefined || isInstallation ? [] : things)]
}

/**
 * Requests a route as everyone; refused requesters first, so that what they must not change is still there for the
 * others.
 */
async function askRow(key: string, row: Row, some: readonly Asker[]): Promise<readonly string[]> {
  const wrong: string[] = []
  const check = (right: Right, target: Target, outcome: Outcome) => {
    if (!isRight(row, right, target, outcome))
      wrong.push(`${outcome.name}: ${outcome.status} instead of ${right} · ${outcome.body.slice(0, 160)}`)
  }
  const alike = async (asker: Asker, level: string, outcomes: ReadonlyMap<Target, Outcome>) => {
    const [foreign, missing] = (['foreign', 'missing'] as const).map((what) =>
      [...outcomes].find(([target]) => target.level === level && target.what === what),
    )
    if (!foreign || !missing) return
    let [one, other] = [foreign[1], missing[1]]
    // On a busy machine a page arrives in different pieces each time: differences in timing alone disappear sooner or
    // later.
    for (let tries = 0; tries < 5 && one.status === other.status && one.body !== other.body; tries += 1)
      [one, other] = [await send(key, row, asker, foreign[0]), await send(key, row, asker, missing[0])]
    if (one.status !== other.status || one.body !== other.body)
      wrong.push(`${key} · ${asker}: ${level} foreign and missing differ: ${difference(one, other)}`)
  }
  const askAs = async (asker: Asker) => {
    const outcomes = new Map<Target, Outcome>()
    for (const target of await targetsOf(key, row, asker)) {
      const right = rightAt(row, asker, target)
      if (right === null || (target.what === 'own' && right === 'yes')) continue
      const outcome = await send(key, row, asker, target)
      outcomes.set(target, outcome)
      check(right, target, outcome)
    }
    for (const level of ['project', 'thing']) await alike(asker, level, outcomes)
  }
  const succeedAs = async (asker: Asker) => {
    const [own] = await targetsOf(key, row, asker)
    if (own === undefined || rightAt(row, asker, own) !== 'yes') return
    let target = own
    let credential: Credential | undefined
    if (row.usesUp === true && row.thing === undefined) {
      target = { ...own, project: await world.project() }
      if (asker === 'admin token')
        credential = { kind: 'token', token: (await world.token('admin', world.people.admin, target.project)).token }
    } else if (row.usesUp === true && row.thing !== undefined) {
      target = { ...own, thing: await world.make(row.thing[1], world.places.own, asker, 'own') }
    }
    check('yes', target, await send(key, row, asker, target, credential))
  }
  try {
    await Promise.all(some.map(askAs))
    for (const asker of some) await succeedAs(asker)
  } catch (error) {
    wrong.push(`${key}: ${String(error)}`) // continue with the other rows
  }
  return wrong
}

const difference = (one: Outcome, other: Outcome): string => {
  const at = [...one.body].findIndex((char, index) => char !== other.body[index])
  const part = (body: string) => body.slice(Math.max(0, at - 40), at + 120)
  return `${one.status} ${part(one.body)} ≠ ${other.status} ${part(other.body)}`
}

async function inParallel<T, R>(
  values: readonly T[],
  work: (value: T, at: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  const rest = [...values.entries()]
  const worker = async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift())
      results[next[0]] = await work(next[1], next[0])
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

it('returns to each requester what the table says, for own, foreign, missing and malformed things', async () => {
  const rows = Object.entries(accessTable).filter(([, row]) => row.ownSession !== true)
  const wrong = await inParallel(rows, ([key, row]) => askRow(key, row, isWhole ? askers : atTheEdge(row)))
  expect(wrong.flat()).toEqual([])
})

it('refuses malformed bodies, and fails at none', async () => {
  const bodies = [
    '',
    '{',
    '[]',
    'null',
    '"x"',
    `${'[{"a":'.repeat(400)}1${'}]'.repeat(400)}`,
    '{"name":{"$ne":1}}',
    '\u0000',
  ]
  const rows = Object.entries(accessTable).filter(([, row]) => row.body !== undefined)
  const wrong = await inParallel(rows, async ([key, row]) => {
    const [own] = await targetsOf(key, row, 'owner')
    if (own === undefined) return []
    const found: string[] = []
    for (const body of bodies) {
      const { status, name } = await send(key, { ...row, body }, 'owner', own, credentials.owner)
      if (status < 400 || status >= 500) found.push(`${name}: ${status} for ${JSON.stringify(body).slice(0, 40)}`)
    }
    return found
  })
  expect(rows.length).toBeGreaterThan(30)
  expect(wrong.flat()).toEqual([])
})

/** Requests for each of foreign and missing, alternating. */
const timedRounds = 200

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

it.runIf(isWhole)('takes the same time for foreign and missing things', async () => {
  const timed = ['runs/[run]', 'uploads/[upload]', 'alerts/[alert]', 'comparisons/[comparison]', 'series/[series]/fan']
  const rows = Object.entries(accessTable).filter(([key]) =>
    timed.some((end) => key === `GET /api/v1/projects/[project]/${end}`),
  )
  const ratios: number[] = []
  for (const [key, row] of rows) {
    const targets = await targetsOf(key, row, 'viewer')
    for (const level of ['project', 'thing']) {
      const [foreign, missing] = targets.filter((one) => one.level === level && one.what !== 'malformed')
      if (foreign === undefined || missing === undefined) continue
      const took: [number[], number[]] = [[], []]
      for (let round = 0; round < timedRounds; round += 1) {
        const order = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)
        for (const which of order) {
          const startedMs = performance.now()
          await send(key, row, 'viewer', which === 0 ? foreign : missing)
          took[which].push(performance.now() - startedMs)
        }
      }
      ratios.push(median(took[0]) / median(took[1]))
    }
  }
  expect(rows).toHaveLength(timed.length)
  expect(median(ratios)).toBeGreaterThan(0.8)
  expect(median(ratios)).toBeLessThan(1.25)
  for (const ratio of ratios) {
    expect(ratio).toBeGreaterThan(0.4)
    expect(ratio).toBeLessThan(2.5)
  }
})

// They end sessions, so they run last.
it('returns to each requester what the table says about their own session and password', async () => {
  const rows = Object.entries(accessTable).filter(([, row]) => row.ownSession === true)
  const wrong: string[] = []
  for (const [key, row] of rows) wrong.push(...(await askRow(key, row, askers)))
  expect(rows).toHaveLength(2)
  expect(wrong).toEqual([])
})

// `World.ask` has compared each answer with its description.
it('has had an answer of every operation that answers with JSON', () => {
  expect(jsonOperations.length).toBeGreaterThan(70)
  expect(jsonOperations.filter((operation) => !world.answered.has(operation))).toEqual([])
})
