/** What a part of a file's name can be, besides a label. */
export const partKinds = ['scenario', 'variant', 'environment', 'date'] as const

/** A part of a pattern: literal text, or a field, by its name; any other than a part's kind is a label. */
type PatternPart = { readonly text: string } | { readonly field: string }

/** A part of a file's name; `field` null: it says nothing. */
export interface NamePart {
  readonly text: string
  readonly field: string | null
}

const maxFieldLength = 60

/**
 * The parts of `{scenario}-{variant}_{date}.txt`; null if a brace is left open, two fields touch, or a field has no
 * name or stands twice.
 */
export function readPattern(pattern: string): readonly PatternPart[] | null {
  const parts: PatternPart[] = []
  const fields = new Set<string>()
  let rest = pattern
  while (rest !== '') {
    const open = rest.indexOf('{')
    if (open !== 0) {
      const text = open < 0 ? rest : rest.slice(0, open)
      if (text.includes('}')) return null
      parts.push({ text })
      rest = rest.slice(text.length)
      continue
    }
    const close = rest.indexOf('}')
    const field = rest.slice(1, close).trim()
    const before = parts.at(-1)
    const touches = before !== undefined && 'field' in before
    if (close < 0 || field === '' || field.length > maxFieldLength || fields.has(field) || touches) return null
    fields.add(field)
    parts.push({ field })
    rest = rest.slice(close + 1)
  }
  return parts
}

/** The name in the parts of a pattern; null if it does not fit. A field is as short as what follows it allows. */
export function splitByPattern(parts: readonly PatternPart[], name: string): readonly NamePart[] | null {
  const found: NamePart[] = []
  let at = 0
  for (const [index, part] of parts.entries()) {
    const end = 'text' in part ? textEnd(part.text, name, at) : fieldEnd(part.field, parts[index + 1], name, at)
    if (end <= at) return null
    found.push({ text: name.slice(at, end), field: 'text' in part ? null : part.field })
    at = end
  }
  return at === name.length ? found : null
}

const textEnd = (text: string, name: string, at: number): number => (name.startsWith(text, at) ? at + text.length : -1)

/** Where a field ends that begins at a place; -1: nothing there can be it. */
function fieldEnd(field: string, next: PatternPart | undefined, name: string, at: number): number {
  if (field === 'date') {
    const date = dateAt(name, at)
    return date === null ? -1 : at + date.length
  }
  return next === undefined || 'field' in next ? name.length : name.indexOf(next.text, at + 1)
}

const dateForms = [/\d{4}-\d\d-\d\d[T_]\d\d-?\d\d/y, /\d{4}-\d\d-\d\d/y, /\d{8}[T_-]\d{4}/y, /\d{8}/y] as const

/** `2026-11-21` or `20261121` at a place of a name, with a time after it or without; null: none, or no such day. */
function dateAt(name: string, at: number): string | null {
  for (const form of dateForms) {
    form.lastIndex = at
    const [text] = form.exec(name) ?? []
    if (text !== undefined && inputTimeOf(text) !== null) return text
  }
  return null
}

/** A date of a name as a date-time input has it, midnight if no time is said; null: there is no such day. */
export function inputTimeOf(date: string): string | null {
  const digits = date.replaceAll(/\D/g, '')
  const [year, month, day] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6, 8)]
  const [hour, minute] = digits.length === 12 ? [digits.slice(8, 10), digits.slice(10, 12)] : ['00', '00']
  const text = `${year}-${month}-${day}T${hour}:${minute}`
  const at = Date.parse(`${text}Z`)
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) && Number(year) > 1990
  return isReal ? text : null
}

const separators = new Set('-_. +@,()[]')

/** A name in its words, its dates, and what separates them. */
export function wordsOfName(name: string): readonly string[] {
  const words: string[] = []
  let at = 0
  while (at < name.length) {
    const date = at === 0 || separators.has(name[at - 1] ?? '') ? dateAt(name, at) : null
    let end = at + Math.max(1, date?.length ?? 0)
    const isSeparator = separators.has(name[at] ?? '')
    if (date === null && !isSeparator) while (end < name.length && !separators.has(name[end] ?? '')) end += 1
    words.push(name.slice(at, end))
    at = end
  }
  return words
}

/** A name as it is marked: the fields of the pattern that it fits, and the other words one by one. */
export function markableParts(parts: readonly PatternPart[] | null, name: string): readonly NamePart[] {
  const fitting = parts === null ? null : splitByPattern(parts, name)
  return (fitting ?? [{ text: name, field: null }]).flatMap((part) =>
    part.field === null ? wordsOfName(part.text).map((text) => ({ text, field: null })) : [part],
  )
}

export const isWord = ({ text }: NamePart): boolean => text.length > 1 || !separators.has(text)

/** The pattern once the parts from one to another are a field (null: nothing); a field is at one place. */
export function markParts(parts: readonly NamePart[], from: number, to: number, field: string | null): string {
  const [first, last] = from <= to ? [from, to] : [to, from]
  return parts
    .map((part, at) => {
      if (at === first && field !== null) return `{${field}}`
      if (at >= first && at <= last) return field === null ? part.text : ''
      return part.field === null || part.field === field ? part.text : `{${part.field}}`
    })
    .join('')
}

/**
 * The pattern that names suggest: what differs is a scenario, a variant, or both, and dates are dates; empty if they
 * are not built alike.
 */
export function suggestPattern(names: readonly string[]): string {
  const split = names.map(wordsOfName)
  const [first] = split
  if (first === undefined || names.length < 2) return ''
  const alike = split.filter(
    (words) => words.length === first.length && words.every((word, at) => isLike(word, first[at] ?? '')),
  )
  // Some may have another form: they are named by hand.
  if (alike.length < 2 || alike.length * 2 < names.length) return ''
  const differing = first.flatMap((word, at) => {
    const differs = alike.some((words) => words[at] !== word)
    return differs && dateAt(word, 0) !== word ? [at] : []
  })
  if (differing.length > 2) return ''
  const [one, other] = differing
  return first
    .map((word, at) => {
      if (dateAt(word, 0) === word) return '{date}'
      if (at === one) return other === undefined ? '{variant}' : '{scenario}'
      return at === other ? '{variant}' : word
    })
    .join('')
}

/** Both words, both the same separator, or both dates. */
const isLike = (word: string, other: string): boolean =>
  separators.has(word) || separators.has(other)
    ? word === other
    : (dateAt(word, 0) === word) === (dateAt(other, 0) === other)
