import { gobKinds, GobError, type GobStruct } from './gob-types'

/** What a field of vegeta's Result means to us: numbers before `skipBytes`, lengths with bytes from there on. */
export const roles = {
  skipNumber: 0,
  code: 1,
  latency: 2,
  bytesOut: 3,
  bytesIn: 4,
  sequence: 5,
  skipBytes: 6,
  timestamp: 7,
  attack: 8,
  error: 9,
  method: 10,
  url: 11,
  /** The last field: what follows it is skipped. */
  headers: 12,
  skipRest: 13,
} as const

const { int, uint, string, bytes } = gobKinds
const known: Readonly<Record<string, { readonly role: number; readonly type: number | null }>> = {
  Attack: { role: roles.attack, type: string },
  Seq: { role: roles.sequence, type: uint },
  Code: { role: roles.code, type: uint },
  Timestamp: { role: roles.timestamp, type: null },
  Latency: { role: roles.latency, type: int },
  BytesOut: { role: roles.bytesOut, type: uint },
  BytesIn: { role: roles.bytesIn, type: uint },
  Error: { role: roles.error, type: string },
  Body: { role: roles.skipBytes, type: bytes },
  Method: { role: roles.method, type: string },
  URL: { role: roles.url, type: string },
  Headers: { role: roles.headers, type: null },
}

/** The fields of a stream's results, by their number in the stream's own definition. */
export interface ResultLayout {
  readonly id: number
  readonly roles: Int32Array
  /** Results are numbered. */
  readonly hasSequence: boolean
  /** `6`, `>=12.8`; null: not stated. */
  readonly toolVersion: string | null
}

/** Finds the fields of vegeta's Result by name. Throws GobError when it lacks one that is needed. */
export function layOut(struct: GobStruct, offset: number): ResultLayout {
  const names = new Set(struct.fields.map(({ name }) => name))
  const missing = ['Code', 'Timestamp', 'Latency'].filter((name) => !names.has(name))
  if (missing.length > 0) throw new GobError(`a list of results without ${missing.join(', ')}`, offset)
  const found = struct.fields.map(({ name, type }) => {
    const field = known[name]
    if (field === undefined) return roleByType(type)
    if (field.type !== null && field.type !== type)
      throw new GobError(`${name} is not of the type that vegeta gives it`, offset)
    return field.role
  })
  return {
    id: struct.id,
    roles: Int32Array.from(found),
    hasSequence: names.has('Seq'),
    toolVersion: guessVersion(names),
  }
}

/** How to skip an unneeded field; for a compound type, the rest of the message is skipped with it. */
function roleByType(type: number): number {
  if (type === bytes || type === string) return roles.skipBytes
  return type < 1 || type > bytes ? roles.skipRest : roles.skipNumber
}

function guessVersion(names: ReadonlySet<string>): string | null {
  if (names.has('Method')) return '>=12.8'
  if (names.has('Attack')) return '>=8 <12.8'
  return names.has('Body') ? '7' : '6'
}
