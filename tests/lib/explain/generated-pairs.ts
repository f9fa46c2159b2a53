/**
 * Generated pairs of runs with a planted cause, in tools' own formats: other services, levels and causes with every
 * seed. Written as in the format of labelled pairs by `npm run bench:pairs -- SEED FOLDER [pairs a cause]`.
 */
export const plantedKinds = [
  'shift',
  'target',
  'value',
  'tail',
  'mode',
  'status',
  'time-window',
  'warm-up',
  'mix',
  'cold-starts',
  'server-part',
  'load-differs',
  'nothing',
  'not-explained',
] as const
export type PlantedKind = (typeof plantedKinds)[number]
export type PairTool = 'vegeta' | 'hey' | 'jmeter' | 'k6'

export interface GeneratedRow {
  /** Since the run's start, s. */
  startS: number
  ms: number
  readonly target: string
  readonly status: number
  readonly isNew: boolean
  readonly isHit: boolean
  readonly isCold: boolean
  /** Milliseconds in Server-Timing. */
  readonly dbMs: number
  readonly appMs: number
}

export interface GeneratedPair {
  readonly tool: PairTool
  readonly base: readonly GeneratedRow[]
  readonly head: readonly GeneratedRow[]
  /** Users of each side, for tools that are told them. */
  readonly users: readonly [base: number, head: number]
  /** What vegeta's responses say. */
  readonly says: { readonly cache: boolean; readonly cold: boolean; readonly timing: boolean }
  readonly label: {
    readonly kind: PlantedKind
    readonly tool: PairTool
    readonly accept?: readonly { readonly attribute: string; readonly value: string }[] | undefined
    readonly window?: readonly [from: number, to: number]
  }
}

/** Numbers in [0, 1), the same for a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const paths = ['items', 'search', 'cart', 'users/7', 'login', 'export', 'feed', 'stock', 'orders', 'price']
const toolsOf: Readonly<Record<PlantedKind, readonly PairTool[]>> = {
  ...{ shift: ['vegeta', 'jmeter', 'k6', 'hey'], target: ['vegeta', 'jmeter', 'k6'], value: ['vegeta'] },
  ...{ tail: ['vegeta', 'jmeter', 'hey'], mode: ['vegeta', 'jmeter', 'k6'], status: ['vegeta', 'jmeter', 'k6'] },
  ...{ 'time-window': ['vegeta', 'jmeter'], 'warm-up': ['vegeta', 'jmeter', 'hey'], mix: ['vegeta', 'hey', 'jmeter'] },
  ...{ 'cold-starts': ['vegeta'], 'server-part': ['vegeta'], 'load-differs': ['vegeta', 'jmeter', 'k6', 'hey'] },
  ...{ nothing: ['vegeta', 'jmeter', 'k6', 'hey'], 'not-explained': ['vegeta', 'jmeter', 'hey'] },
}

/** One pair with this cause. A quarter of them has it in base. */
export function generatePair(kind: PlantedKind, seed: number): GeneratedPair {
  const random = randomOf(seed * 2_654_435_761 + plantedKinds.indexOf(kind))
  const between = (low: number, high: number) => low + (high - low) * random()
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const tool = pick(toolsOf[kind])
  const isInBase = random() < 0.25
  const sorted = [...paths].sort(() => random() - 0.5).slice(0, 4 + Math.floor(random() * 4))
  const service = sorted.map((path, at) => ({
    name: `${at === 1 ? 'POST' : 'GET'} /${path}`,
    ...{ ms: between(3, 60), width: between(0.2, 0.45), weight: between(0.5, 2), tail: between(0.002, 0.01) },
  }))
  const says = {
    cache: random() < 0.5 || kind === 'value' || kind === 'mix',
    cold: kind === 'cold-starts',
    timing: kind === 'server-part' || random() < 0.2,
  }
  const users = (tool === 'hey' ? 5 : 10) + Math.floor(random() * (tool === 'hey' ? 8 : 20))
  const changedUsers = kind === 'load-differs' ? Math.round(users * pick([0.5, 1.6, 2])) : users
  const rate = between(100, 250)
  const changedRate = kind === 'load-differs' ? rate * pick([0.6, 1.3, 1.5]) : rate
  const durationS = between(25, 45)
  const target = service[Math.floor(random() * service.length)]?.name ?? ''
  const slowest = [...service].sort((a, b) => b.ms - a.ms)[0]?.name ?? ''
  const effect = {
    factor: pick([between(1.15, 1.5), 1]),
    addedMs: between(5, 14),
    strong: between(1.6, 2.4),
    share: kind === 'tail' ? between(0.02, 0.035) : kind === 'mode' ? between(0.1, 0.28) : between(0.02, 0.07),
    from: kind === 'warm-up' ? 0 : between(0.2, 0.8),
    to: 0,
    isSlowError: random() < 0.5,
  }
  effect.to = effect.from + between(0.05, 0.11)

  const run = (isChanged: boolean): GeneratedRow[] => {
    const level = Math.exp(normal() * 0.007)
    const [drift, hiccups] = [between(-0.03, 0.03), Array.from({ length: Math.floor(random() * 3) }, () => random())]
    const weights = service.map(({ name, weight }) => {
      const isMixed = isChanged && kind === 'mix' && tool === 'jmeter' && name === slowest
      return weight * Math.exp(normal() * 0.01) * (isMixed ? 2.2 : 1)
    })
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const hitRatio = isChanged && kind === 'mix' && tool === 'vegeta' ? 0.35 : 0.7
    const newRatio = isChanged && kind === 'mix' && tool === 'hey' ? 0.3 : 0.02
    const coldRatio = isChanged && kind === 'cold-starts' ? 0.09 : 0.015
    const one = (startS: number, lengthS: number): GeneratedRow => {
      let place = random() * total
      const found = service.findIndex((_, at) => (place -= weights[at] ?? 0) < 0)
      const own = service[Math.max(0, found)]
      if (own === undefined) throw new Error('a service has targets')
      const at = startS / lengthS
      const [isHit, isNew, isCold] = [random() < hitRatio, random() < newRatio, says.cold && random() < coldRatio]
      let dbMs = own.ms * 0.5 * Math.exp(own.width * normal())
      const appMs = own.ms * 0.3 * Math.exp(own.width * normal())
      if (isChanged && kind === 'server-part') dbMs *= effect.strong
      let ms = says.timing
        ? dbMs + appMs + 1 + 0.1 * own.ms * Math.exp(0.3 * normal())
        : own.ms * Math.exp(own.width * normal())
      if (random() < own.tail) ms *= between(3, 8)
      if (says.cache && !isHit) ms *= isChanged && kind === 'value' ? 1.5 * effect.strong : 1.5
      if (isNew) ms += 12
      if (isCold) ms += 180 + 40 * random()
      ms *= level * (1 + drift * (at - 0.5))
      if (hiccups.some((hiccup) => Math.abs(at - hiccup) < 0.002)) ms *= 3
      let status = random() < 0.003 ? pick([404, 500]) : 200
      if (isChanged) {
        if (kind === 'shift') ms = effect.factor === 1 ? ms + effect.addedMs : ms * effect.factor
        if (kind === 'target' && own.name === target) ms *= effect.strong
        if (kind === 'tail' && random() < effect.share) ms = ms * between(2, 4) + 250 + 300 * random()
        if (kind === 'mode' && random() < effect.share) ms = ms * 1.2 + 90 + 30 * random()
        if ((kind === 'time-window' || kind === 'warm-up') && at >= effect.from && at < effect.to)
          ms *= 2 * effect.strong
        if (kind === 'status' && random() < effect.share) {
          status = 503
          ms = effect.isSlowError ? ms * 4 + 100 : 1.5 + random()
        }
        // A queue: more load is slower, and less is faster.
        if (kind === 'load-differs') ms *= Math.max(changedUsers / users, changedRate / rate) > 1 ? 1.3 : 0.75
        if (kind === 'not-explained') ms *= Math.exp(0.55 * normal() + 0.15)
      }
      return { startS, ms, target: own.name, status, isNew, isHit, isCold, dbMs, appMs }
    }
    const rows: GeneratedRow[] = []
    if (tool === 'vegeta') {
      const perSecond = isChanged ? changedRate : rate
      for (let at = 0; at < durationS * perSecond; at++) rows.push(one(at / perSecond, durationS))
      return rows
    }
    for (let user = 0; user < (isChanged ? changedUsers : users); user++)
      for (let at = random() * 0.05; at < durationS;) {
        const row = one(at, durationS)
        rows.push(row)
        // hey sends the next request at once.
        at += row.ms / 1e3 + (tool === 'hey' ? 0 : 0.05)
      }
    return rows.sort((a, b) => a.startS - b.startS)
  }

  const accept = acceptedOf(kind, tool, target, slowest)
  const window = kind === 'time-window' ? ([effect.from, effect.to] as const) : undefined
  return {
    ...{ tool, says, base: run(isInBase), head: run(!isInBase) },
    users: isInBase ? [changedUsers, users] : [users, changedUsers],
    label: { kind, tool, ...(accept === null ? {} : { accept }), ...(window === undefined ? {} : { window }) },
  }
}

function acceptedOf(
  kind: PlantedKind,
  tool: PairTool,
  target: string,
  slowest: string,
): GeneratedPair['label']['accept'] | null {
  const of = (attribute: string, value: string) => [{ attribute, value }]
  if (kind === 'target') return of('target', target)
  if (kind === 'value') return of('header:x-cache', 'MISS')
  if (kind === 'status') return [...of('status', '503'), ...of('error', '*')]
  if (kind === 'cold-starts') return of('cold', '*')
  if (kind === 'server-part') return of('server-timing;db', '*')
  if (kind !== 'mix') return null
  return tool === 'vegeta' ? of('header:x-cache', '*') : tool === 'hey' ? of('connection', '*') : of('target', slowest)
}

const startMs = 1_795_226_400_000

/** A side as its tool writes it. */
export function writeRows({ tool, says, users }: GeneratedPair, rows: readonly GeneratedRow[], side: 0 | 1): string {
  if (tool === 'hey') {
    const head = 'response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset'
    const line = ({ ms, isNew, status, startS }: GeneratedRow) =>
      `${(ms / 1e3).toFixed(4)},${isNew ? '0.0050' : '0.0000'},0.0000,0.0000,${(ms / 1e3).toFixed(4)},0.0000,${status},${startS.toFixed(4)}`
    return `${head}\n${rows.map(line).join('\n')}\n`
  }
  if (tool === 'jmeter') {
    const head =
      'timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect'
    const line = ({ ms, target, status, isNew, startS }: GeneratedRow) =>
      `${startMs + Math.round(startS * 1e3)},${Math.round(ms)},${target},${status},${status === 200 ? 'OK' : 'Error'},users 1-1,text,${status === 200},,1176,127,${users[side]},${users[side]},http://shop.test${target.split(' ')[1] ?? ''},${Math.round(ms)},0,${isNew ? 3 : 0}`
    return `${head}\n${rows.map(line).join('\n')}\n`
  }
  if (tool === 'k6') return writeK6(rows, users[side])
  return rows.map((row, at) => vegetaRow(row, at, says)).join('')
}

function vegetaRow(
  { startS, ms, target, status, isHit, isCold, dbMs, appMs }: GeneratedRow,
  at: number,
  says: GeneratedPair['says'],
): string {
  const [method = '', path = ''] = target.split(' ')
  const headers = [
    'Content-Length: 1176',
    ...(says.timing ? [`Server-Timing: db;dur=${dbMs.toFixed(2)}, app;dur=${appMs.toFixed(2)}`] : []),
    ...(says.cache ? [`X-Cache: ${isHit ? 'HIT' : 'MISS'}`] : []),
    ...(says.cold ? [`X-Cold-Start: ${isCold ? '1' : '0'}`] : []),
  ]
  const block = Buffer.from(`${headers.join('\r\n')}\r\n\r\n`).toString('base64')
  const stamp = BigInt(startMs) * 1_000_000n + BigInt(Math.round(startS * 1e6)) * 1_000n
  return `${stamp},${status},${Math.round(ms * 1e3) * 1_000},0,1176,${status < 400 ? '' : `${status} Error`},,,${at},${method},http://shop.test${path},${block}\n`
}

function writeK6(rows: readonly GeneratedRow[], users: number): string {
  const head =
    'metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,proto,scenario,service,status,subproto,tls_version,url,extra_tags,metadata'
  const lines = rows.flatMap(({ startS, ms, target, status, isNew }, at) => {
    const [method = '', path = ''] = target.split(' ')
    const end = startMs + Math.round(startS * 1e3 + ms)
    const url = `http://shop.test${path}`
    const tags = `,,${status >= 400 ? `1${status}` : ''},${status < 400},,${method},${url},HTTP/1.1,default,,${status},,,${url},,`
    const metric = (name: string, value: string) => `${name},${end},${value},${tags}`
    return [
      ...(at % 200 === 0 ? [`vus,${end},${users}.000000,,,,,,,,,,,,,,,,`] : []),
      metric('http_reqs', '1.000000'),
      metric('http_req_duration', ms.toFixed(6)),
      metric('http_req_connecting', isNew ? '3.000000' : '0.000000'),
    ]
  })
  return `${head}\n${lines.join('\n')}\n`
}
