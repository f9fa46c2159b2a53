import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPair } from '@/lib/text'
import { findInputs, type Input } from './inputs'
import { printable, type Terminal } from './terminal'
import { exits, readArguments, UsageError } from './usage'

const options = {
  to: { type: 'string' },
  project: { type: 'string' },
  label: { type: 'string', multiple: true },
  scenario: { type: 'string' },
  variant: { type: 'string' },
  environment: { type: 'string' },
  gate: { type: 'boolean' },
  repeat: { type: 'string' },
  candidate: { type: 'boolean' },
} as const

const names = ['scenario', 'variant', 'environment'] as const
const defaultServer = 'http://127.0.0.1:3000'
/** How long a verdict is waited for. */
const maxWaits = 150

/** Of several files, the end of the first kind that one had. */
const ends = [exits.unreadable, exits.worse, exits.repeat] as const

/** `tailboard upload FILE… --to URL --project NAME`: sends files to a server, and with `--gate` prints its verdicts. */
export async function upload(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, options)
  if (positionals.length === 0) throw new UsageError('upload needs a file')
  const { project, to = terminal.env['TAILBOARD_URL'] ?? defaultServer } = values
  if (project === undefined) throw new UsageError('upload needs --project NAME')
  const query = queryOf(values)
  const inputs = (await Promise.all(positionals.map((name) => findInputs(name, terminal)))).flat()
  const had = new Set<number>()
  for (const input of inputs) had.add(await send(input, addressOf(to, project, input, query), terminal))
  return ends.find((end) => had.has(end)) ?? exits.fine
}

type Values = ReturnType<typeof readArguments<typeof options>>['values']

function queryOf(values: Values): URLSearchParams {
  const query = new URLSearchParams({ create: '1' })
  for (const label of values.label ?? []) {
    if (readPair(label) === null) throw new UsageError(`--label takes KEY=VALUE, not ${label}`)
    query.append('label', label)
  }
  for (const name of names) if (values[name] !== undefined) query.set(name, values[name])
  if (values.gate === true) query.set('gate', '1')
  if (values.repeat !== undefined) {
    if (values.gate !== true) throw new UsageError('--repeat needs --gate')
    if (!/^auto(?::\d)?$/.test(values.repeat))
      throw new UsageError(`--repeat takes auto or auto:N, not ${values.repeat}`)
    query.set('repeat', values.repeat)
  }
  if (values.candidate === true) query.set('candidate', '1')
  return query
}

/** The name of the file goes into the query: some are none that an address may end in. */
function addressOf(to: string, project: string, { name }: Input, query: URLSearchParams): URL {
  if (!URL.canParse(to)) throw new UsageError(`--to takes an address such as ${defaultServer}, not ${to}`)
  const named = new URLSearchParams(query)
  if (name !== '-') named.set('name', name.split('/').at(-1) ?? name)
  return uploadAddress(to, project, named)
}

/** Where files of a project are sent. */
export function uploadAddress(to: string, project: string, query: URLSearchParams): URL {
  const address = new URL(`/api/v1/projects/${encodeURIComponent(project)}/uploads`, to)
  address.search = query.toString()
  return address
}

async function send({ name, path }: Input, address: URL, terminal: Terminal): Promise<number> {
  const body = path === null ? terminal.stdin : createReadStream(path)
  const response = await post(body, address, terminal)
  if (typeof response !== 'string') return printAnswer(name, response, terminal)
  terminal.report(`${printable(`${name}: ${response}`)}\n`)
  return exits.unreadable
}

/** Sends a file, and says why it was not taken; null: it was. */
export async function postFile(path: string, address: URL, terminal: Terminal): Promise<string | null> {
  const response = await post(createReadStream(path), address, terminal)
  if (typeof response === 'string') return response
  const text = await response.text()
  return response.ok ? null : text.trim()
}

/** The response, after the verdict that it may wait for; a text: why there is none. */
async function post(source: Readable, address: URL, terminal: Terminal): Promise<Response | string> {
  try {
    // A stream is sent as it is read, and `duplex` says so; the types of Node 20 do not know it.
    const request = { method: 'POST', body: Readable.toWeb(source), duplex: 'half', headers: headersOf(terminal) }
    let response = await fetch(address, request as RequestInit)
    for (let waits = 0; response.status === 202 && waits < maxWaits; waits += 1) {
      const again = response.headers.get('location')
      if (again === null) break
      await sleep(1_000 * Number(response.headers.get('retry-after') ?? 2))
      response = await fetch(new URL(again, address), { headers: headersOf(terminal) })
    }
    return response
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const cause = error.cause instanceof Error ? error.cause.message : error.message
    return `${address.origin} cannot be reached: ${cause || 'no connection'}`
  }
}

/** What a server answered as JSON. missing: there is no such thing; refused: why there is no answer. */
export type Answer =
  | { readonly kind: 'read'; readonly body: unknown }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly why: string }

/** Reads what is at an address of a server. */
export async function readAnswer(address: URL, terminal: Terminal): Promise<Answer> {
  try {
    const response = await fetch(address, { headers: { ...headersOf(terminal), accept: 'application/json' } })
    if (response.status === 404) return { kind: 'missing' }
    if (!response.ok) return { kind: 'refused', why: `${response.status} of ${address.origin}` }
    return { kind: 'read', body: await response.json() }
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error
    return { kind: 'refused', why: `${address.origin} cannot be reached` }
  }
}

const headersOf = ({ env }: Terminal): Record<string, string> => {
  const token = env['TAILBOARD_TOKEN']
  return { accept: 'text/plain', ...(token ? { authorization: `Bearer ${token}` } : {}) }
}

/** A verdict of worse is 422 as is a file that nothing could be read of; only the verdict names runs. */
async function printAnswer(name: string, response: Response, { print, report }: Terminal): Promise<number> {
  const text = await response.text()
  if (response.ok) {
    print(text)
    return response.headers.has('tailboard-repeat') ? exits.repeat : exits.fine
  }
  const isVerdict = response.status === 422 && /^# ask again: /m.test(text)
  if (isVerdict) print(text)
  else report(`${printable(`${name}: ${text.trim()}`)}\n`)
  return isVerdict ? exits.worse : exits.unreadable
}
