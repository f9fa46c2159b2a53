import { InvalidInputError } from './errors'

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** Deeper nesting damages the embedded database, and none of our documents needs it. */
export const maxJsonDepth = 64

/** Text that the database returns unchanged: NUL and lone surrogates become U+FFFD, visibly. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD')
}

/** Length in code points, the unit of limits on names (an emoji is one or two, not four bytes). */
export function codePointCount(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0)
}

/** The first `max` code points; a longer text ends in `…` (counted), so that the cut is visible. */
export function clipText(text: string, max: number): string {
  // A code point is one or two units, so `2 * max` units hold all that is needed.
  const head = text.slice(0, 2 * max)
  if (text.length <= max || (head.length === text.length && codePointCount(text) <= max)) return text
  return `${[...head].slice(0, max - 1).join('')}…`
}

/** Key and value of `key=value`, both trimmed; null without `=` or without a key before it. */
export function readPair(text: string): readonly [key: string, value: string] | null {
  const at = text.indexOf('=')
  const key = text.slice(0, Math.max(0, at)).trim()
  return key === '' ? null : [key, text.slice(at + 1).trim()]
}

/** Words side by side: `a, b and c`. Empty for none. */
export function joinWords(words: readonly string[], by: 'and' | 'or' | ','): string {
  const last = words.at(-1) ?? ''
  if (by === ',' || words.length < 2) return words.join(', ')
  return `${words.slice(0, -1).join(', ')} ${by} ${last}`
}

/**
 * A value that a JSON column can hold, with all texts and keys storable; undefined properties are left out. Throws
 * InvalidInputError for values that JSON cannot represent exactly (NaN, infinities, bigint, functions, undefined in a
 * list) and for nesting deeper than `maxJsonDepth`.
 */
export function storableJson(value: unknown): JsonValue {
  return storableAt(value, 0)
}

function storableAt(value: unknown, depth: number): JsonValue {
  if (typeof value === 'string') return storableText(value)
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value
    throw new InvalidInputError(`${value} cannot be stored as a number.`)
  }
  if (typeof value !== 'object') throw new InvalidInputError(`A ${typeof value} cannot be stored.`)
  if (depth >= maxJsonDepth) {
    throw new InvalidInputError(`The data are nested more than ${maxJsonDepth} levels deep.`)
  }
  if (Array.isArray(value)) return value.map((item) => storableAt(item, depth + 1))
  // fromEntries defines own properties, so that a key `__proto__` stays a key.
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [storableText(key), storableAt(item, depth + 1)]),
  )
}
