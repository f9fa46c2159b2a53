import type { z } from 'zod'
import { ImportError } from '../lib/errors'

/** Undefined: not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Null: no JSON object. */
export function parseJsonObject(text: string): Record<string, unknown> | null {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

/** Why recognised JSON cannot be read. */
export interface JsonFault {
  /** 1-based, within the text. */
  readonly line: number
  /** `“mean” is NaN`. */
  readonly reason: string
}

/**
 * The refusal of JSON printed by a tool; `name` as in "this is …": `vegeta's JSON`. `line`: where the text begins in
 * the file.
 */
export function refuseJson(name: string, fault: JsonFault, line: number, hint: string): ImportError {
  return new ImportError('malformed', `this is ${name}, but ${fault.reason}`, { line: line + fault.line - 1, hint })
}

const token = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|[{}[\],:]|[^\s"{}[\],:]{1,200}|"/gy
const blank = /\s*/y
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const literals: ReadonlySet<string> = new Set(['true', 'false', 'null'])

/**
 * Finds what makes a text unreadable as JSON: `NaN`, a number that is too large (`1e400`), a decimal comma. Null:
 * nothing, or it only ends too early. The text begins with a bracket.
 */
export function findJsonFault(text: string): JsonFault | null {
  /** Open brackets, each with the last key read in it. */
  const open: { readonly isObject: boolean; key: string | null; place: Place }[] = []
  let at = 0
  const faultAt = (place: number, reason: string): JsonFault => ({ line: lineOf(text, place), reason })
  const path = () => open.flatMap(({ isObject, key }) => (isObject && key !== null ? [key] : []))
  for (;;) {
    blank.lastIndex = at
    at += blank.exec(text)?.[0].length ?? 0
    if (at >= text.length) return null
    token.lastIndex = at
    const found = token.exec(text)?.[0] ?? text.charAt(at)
    const inner = open.at(-1)
    if (inner === undefined && at > 0 && found !== '{' && found !== '[') return null
    const place = inner?.place ?? 'value'
    const next = nextPlace(found, place, inner?.isObject === true)
    if (next === null) return faultAt(at, reasonOf(found, place, path()))
    if (place.endsWith('value') && number.test(found) && !Number.isFinite(Number(found)))
      return faultAt(at, `${nameOf(path())} is ${clip(found)}, which is too large for a number`)
    if (inner !== undefined) {
      if (place.endsWith('key') && found.startsWith('"')) inner.key = found.slice(1, -1)
      inner.place = next
    }
    if (found === '{' || found === '[')
      open.push({
        isObject: found === '{',
        key: null,
        place: found === '{' ? 'key' : 'value',
      })
    else if (found === '}' || found === ']') open.pop()
    at += found.length
  }
}

/** What may come where a token is read. */
type Place = 'key' | 'next key' | 'colon' | 'value' | 'next value' | 'comma'

/** What follows a token in its bracket; null: the token is not allowed there. */
function nextPlace(found: string, place: Place, isObject: boolean): Place | null {
  const isText = found.length > 1 && found.startsWith('"')
  const closes = found === (isObject ? '}' : ']')
  switch (place) {
    case 'key':
    case 'next key':
      return isText ? 'colon' : closes && place === 'key' ? 'comma' : null
    case 'colon':
      return found === ':' ? 'value' : null
    case 'value':
    case 'next value':
      if (!isObject && closes && place === 'value') return 'comma'
      return isText || found === '{' || found === '[' || literals.has(found) || number.test(found) ? 'comma' : null
    case 'comma':
      return found === ',' ? (isObject ? 'next key' : 'next value') : closes ? 'comma' : null
  }
}

function reasonOf(found: string, place: Place, path: readonly string[]): string {
  if (found === '"') return place.endsWith('key') ? 'a key is no JSON' : `${nameOf(path)} is a text that is no JSON`
  if (place.endsWith('value') && /^[\w.+-]/.test(found)) return `${nameOf(path)} is ${clip(found)}`
  if (place === 'next key' && /^\d/.test(found)) return `${nameOf(path)} has a comma in its number`
  return `behind ${nameOf(path)} stands ${clip(found)}, which is no JSON`
}

/**
 * Describes what in a value differs from the tool's format: `“requests” is "500", a text`. `text`: its source, in which
 * the line is found.
 */
export function describeIssue(error: z.ZodError, value: unknown, text: string): JsonFault {
  const [issue] = error.issues
  const path = issue?.path ?? []
  let found: unknown = value
  let at = 0
  for (const key of path) {
    found = typeof found === 'object' && found !== null ? (found as Record<PropertyKey, unknown>)[key] : undefined
    const place = typeof key === 'string' ? text.indexOf(`"${key}"`, at) : -1
    if (place >= 0) at = place
  }
  const keys = path.filter((part) => typeof part === 'string')
  return { line: lineOf(text, at), reason: `${nameOf(keys)} is ${describeValue(found)}` }
}

/** `“latency” is "5", a text`. */
export const describeMember = (key: string, value: unknown): string => `${nameOf([key])} is ${describeValue(value)}`

function describeValue(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string')
    return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : String(value)
  // Other texts may hold secrets.
  return /^[\d.,eE+-]{1,30}$/.test(value) ? `"${value}", a text` : 'a text'
}

const nameOf = (path: readonly string[]): string => (path.length === 0 ? 'a value' : `“${clip(path.join('.'))}”`)
const clip = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
const lineOf = (text: string, place: number): number => text.slice(0, place).split('\n').length
