import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkSync } from 'recheck'
import ts from 'typescript'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'

/**
 * Every regex in importers/ and lib/ runs in linear time even on malicious texts, according to recheck. A verdict can
 * take seconds, so verdicts are stored (`UPDATE_REGEXES=1` writes them); a new regex is checked here.
 */
const root = join(import.meta.dirname, '..')
const verdictFile = join(import.meta.dirname, 'fixtures', 'safe-regexes.json')
const isUpdate = process.env['UPDATE_REGEXES'] === '1'
const safe = new Set(z.array(z.string()).parse(JSON.parse(readFileSync(verdictFile, 'utf8'))))

/** What recheck cannot decide in its time limit, and why it is harmless. */
const judgedByHand: readonly { readonly start: string; readonly why: string }[] = [
  { start: String.raw`/\b(?:only (?:[\w-]{1,30} ){0,5}|limit`, why: 'every repetition is bounded, starts are words' },
  { start: String.raw`/[[({][^\])}]{0,60}[\])}]/g`, why: 'at most 60 steps for each bracket' },
  { start: String.raw`/\d{4}\/\d\d\/\d\d\/[\w.-]{0,100}\[`, why: 'at most 200 steps for each date' },
  { start: String.raw`/(?:^|\n|\\n|<)\s{0,20}([A-Z]{3,7})`, why: 'at most 50 steps for each line of a short argument' },
  { start: String.raw`/\B(?=(\d{3})+$)/g`, why: 'sees the digits of a number, at most 309' },
]

interface Found {
  readonly regex: RegExp
  readonly place: string
}

const literals = ['importers', 'lib'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => listLiterals(join(folder, name))),
)

function listLiterals(file: string): Found[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const found: Found[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      found.push({ regex: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)), place: `${file}:${line + 1}` })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Regexes that are assembled while the importers load. */
async function listBuilt(): Promise<Found[]> {
  const built: Found[] = []
  const Original = globalThis.RegExp
  globalThis.RegExp = new Proxy(Original, {
    construct(target, args, newTarget) {
      const regex: unknown = Reflect.construct(target, args, newTarget)
      if (regex instanceof Original) built.push({ regex, place: 'built by new RegExp' })
      return regex instanceof Original ? regex : new Original('')
    },
  })
  vi.resetModules() // other tests in this process may have loaded them
  try {
    await import('../importers/index')
  } finally {
    globalThis.RegExp = Original
  }
  return built
}

function judge({ regex, place }: Found): string | null {
  const text = String(regex)
  if (safe.has(text)) return null
  if (judgedByHand.some(({ start }) => text.startsWith(start))) return null
  const verdict = checkSync(regex.source, regex.flags, { timeout: 20_000 })
  if (verdict.status === 'safe') {
    safe.add(text)
    return null
  }
  const reason = verdict.status === 'vulnerable' ? verdict.complexity.summary : verdict.error.kind
  return `${place} ${text}: ${verdict.status}, ${reason}`
}

it('no regex takes more than linear time', { timeout: isUpdate ? 900_000 : 120_000 }, async () => {
  const built = await listBuilt()
  expect(literals.length).toBeGreaterThan(300)
  expect(built.length).toBeGreaterThan(0)
  const all = [...literals, ...built]
  const faults = all.map(judge).filter((fault) => fault !== null)
  if (isUpdate) {
    const used = new Set(all.map(({ regex }) => String(regex)))
    writeFileSync(verdictFile, `${JSON.stringify([...safe].filter((text) => used.has(text)).sort(), null, 1)}\n`)
  }
  expect(faults).toEqual([])
})

it('a slow regex fails', () => {
  const [source, place] = ['^(a+)+$', 'here']
  expect(judge({ regex: new RegExp(source), place })).toContain('vulnerable')
})
