import { z } from 'zod'
import { readSides } from '@/lib/judge/compare-url'
import { decoded, plain, type Seen, type SeenLink } from './seen'

const valueSchema = z.record(z.string(), z.union([z.number(), z.string(), z.null()]))
const voids: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'input', 'link', 'meta', 'wbr', 'source'])
const tags = /<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/g

interface Open {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly tone: string | null
  readonly column: string | null
  text: string
}

const attributesOf = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decoded(value)]))

/** Facts and comparison links on a page, with their context. */
export function readPage(surface: string, html: string): { readonly facts: Seen[]; readonly links: SeenLink[] } {
  const facts: Seen[] = []
  const links: SeenLink[] = []
  const open: Open[] = []
  const place = { table: 0, column: 0 }
  let from = 0
  const body = html.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '').replace(/<!--[\s\S]*?-->/g, '')
  for (const { index, 0: tag, 1: close, 2: rawName = '', 3: rest = '' } of body.matchAll(tags)) {
    const text = body.slice(from, index)
    for (const one of open) one.text += text
    from = index + tag.length
    const name = rawName.toLowerCase()
    if (close === '') {
      const attributes = attributesOf(rest)
      enter(place, name, attributes)
      if (voids.has(name) || rest.endsWith('/')) continue
      const outer = open.at(-1)
      const tone = attributes.get('data-tone') ?? attributes.get('data-state') ?? outer?.tone ?? null
      const column =
        open.some((one) => one.name === 'table') || name === 'table' ? `${place.table}.${place.column}` : null
      open.push({ name, attributes, tone: name === 'tr' ? null : tone, column, text: '' })
      continue
    }
    const at = open.findLastIndex((one) => one.name === name)
    if (at < 0) continue
    const [ended] = open.splice(at)
    if (ended === undefined) continue
    facts.push(...factOf(surface, ended))
    links.push(...linkOf(surface, ended))
  }
  return { facts, links }
}

function enter(place: { table: number; column: number }, name: string, attributes: ReadonlyMap<string, string>): void {
  if (name === 'table') place.table += 1
  if (name === 'tr') place.column = 0
  if (name === 'td' || name === 'th') place.column += Number(attributes.get('colspan') ?? 1)
}

function factOf(surface: string, { attributes, tone, column, text }: Open): readonly Seen[] {
  const [key, part, json] = ['data-fact', 'data-part', 'data-value'].map((name) => attributes.get(name))
  if (key === undefined || part === undefined || json === undefined) return []
  const value = valueSchema.parse(JSON.parse(json))
  return [{ surface, key, part, value, text: plain(text), tone, column }]
}

function linkOf(surface: string, { attributes, text }: Open): readonly SeenLink[] {
  const refs = /\/compare\/([^?/#]+)$/.exec((attributes.get('href') ?? '').split('?')[0] ?? '')?.[1]
  const sides = refs === undefined ? null : readSides(decodeURIComponent(refs))
  return sides === null ? [] : [{ surface, sides, text: plain(text) }]
}
