import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { alertStates } from '@/lib/rules/stored-alerts'

/**
 * The house rules that ESLint cannot check: no import cycle between files or floors, at most 25 files per floor, pages
 * of at most 60 lines, one place that decides about alerts, one that draws and one that defines colours.
 * CONTRIBUTING.md, "Rooms and floors".
 */
const root = path.resolve(import.meta.dirname, '..')
const rooms = ['app', 'components', 'importers', 'lib', 'prisma', 'scripts', 'cli', 'viewer', 'tests'] as const
const leftOut = /^(?:prisma\/generated|prisma\/migrations|tests\/fixtures|tests\/e2e\/\.)/

const files = rooms.flatMap((room) =>
  readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
    .map((name) => `${room}/${name.replaceAll(path.sep, '/')}`)
    .filter((name) => /\.(?:tsx?|css)$/.test(name) && !leftOut.test(name)),
)
const code = files.filter((name) => /\.tsx?$/.test(name))
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8')

function resolveImport(from: string, name: string): string | null {
  if (!name.startsWith('.') && !name.startsWith('@/')) return null
  const place = name.startsWith('@/') ? name.slice(2) : path.posix.join(path.posix.dirname(from), name)
  return [place, `${place}.ts`, `${place}.tsx`, `${place}/index.ts`].find((file) => code.includes(file)) ?? null
}

const importsOf = new Map(
  code.map((file) => {
    const { importedFiles } = ts.preProcessFile(textOf(file), true, true)
    return [file, importedFiles.flatMap(({ fileName }) => resolveImport(file, fileName) ?? [])] as const
  }),
)

const folderOf = (file: string) => path.posix.dirname(file)

/**
 * The floor of a file; null for files next to the floors of their room, and for routes, whose folders are addresses.
 */
function floorOf(file: string): string | null {
  const [room, floor] = file.split('/')
  if (room === 'app') return floor === '_server' && file.split('/').length > 3 ? folderOf(file) : null
  return file.split('/').length > 2 ? folderOf(file) : null
}

/** Groups of nodes that form cycles (Tarjan 1972). */
function cyclesOf(graph: ReadonlyMap<string, Iterable<string>>): readonly (readonly string[])[] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (node: string): number => {
    const at = index.size
    index.set(node, at)
    low.set(node, at)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      const reached = index.has(next) ? (stack.includes(next) ? (index.get(next) ?? at) : at) : visit(next)
      low.set(node, Math.min(low.get(node) ?? at, reached))
    }
    if (low.get(node) === at) {
      const group = stack.splice(stack.indexOf(node))
      if (group.length > 1) found.push(group.sort())
    }
    return low.get(node) ?? at
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return found
}

/**
 * Whether a file of prisma decides about an alert, or could: a state or step by its name (also in SQL), a comparison of
 * an alert's state, a write to an alert or its history.
 */
function alertDecisionsIn(text: string): readonly string[] {
  const names = new Set<string>([...alertStates, 'reopened', 'found-again', 'ended'])
  const found = new Set<string>()
  const isState = (node: ts.Node) => ts.isPropertyAccessExpression(node) && /\balert\w*\??\.state$/.test(node.getText())
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && names.has(node.text)) found.add(`names '${node.text}'`)
    if (
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isNoSubstitutionTemplateLiteral(node)
    ) {
      for (const name of names) if (node.text.includes(`'${name}'`)) found.add(`names '${name}'`)
      if (/\b(?:UPDATE|INSERT INTO|DELETE FROM) alert(?:_step)?\b/.test(node.text)) found.add('writes an alert')
    }
    if (ts.isBinaryExpression(node) && (isState(node.left) || isState(node.right))) found.add('compares a state')
    if (ts.isCallExpression(node) && /\.alert(?:Step)?\.(?:create|update|upsert)\w*$/.test(node.expression.getText()))
      found.add('writes an alert')
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('prisma.ts', text, ts.ScriptTarget.Latest, true))
  return [...found].sort()
}

describe('the house', () => {
  it('finds a cycle where there is one', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
      ['d', ['a']],
    ])
    expect(cyclesOf(graph)).toEqual([['b', 'c']])
    expect(importsOf.get('tests/importers/importers.test.ts')).toContain('importers/index.ts')
  })

  it('has no import cycle between files', () => {
    expect(cyclesOf(importsOf)).toEqual([])
  })

  it('has no import cycle between floors', () => {
    const floors = new Map<string, Set<string>>()
    for (const [file, targets] of importsOf) {
      const from = floorOf(file)
      if (from === null || from.startsWith('tests/')) continue
      const known = floors.get(from) ?? new Set()
      floors.set(from, known)
      for (const target of targets) {
        const to = floorOf(target)
        if (to !== null && to !== from) known.add(to)
      }
    }
    expect(cyclesOf(floors)).toEqual([])
  })

  it('has at most 25 files on a floor, style sheets included', () => {
    const counts = new Map<string, number>()
    for (const file of files) {
      if (file.startsWith('app/') && !file.startsWith('app/_server/')) continue
      counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1)
    }
    const crowded = [...counts].filter(([, count]) => count > 25)
    expect(crowded).toEqual([])
    const queries = [...counts].filter(([folder]) => folder.startsWith('prisma/queries'))
    expect(queries.length).toBeGreaterThan(5)
    // A floor is a noun, not a place for one file more.
    expect(queries.filter(([folder, count]) => folder === 'prisma/queries' || count < 3)).toEqual([])
  })

  it('imports zod as a namespace where commands and browsers get it: its `z` holds the words of every language', () => {
    const whole = /^import \{ z \} from 'zod'/m
    const bundled = code.filter((file) => /^(?:lib|importers|components|cli|viewer)\//.test(file))
    expect(bundled.filter((file) => whole.test(textOf(file)))).toEqual([])
  })

  it('only maps in prisma/rows: no statement, no transaction', () => {
    const asks = /\bawait\b|\bDb\b|\$queryRaw|\$executeRaw/
    const rows = code.filter((file) => file.startsWith('prisma/rows/'))
    expect(rows.length).toBeGreaterThan(5)
    expect(rows.filter((file) => asks.test(textOf(file)))).toEqual([])
    expect(asks.test(textOf('prisma/statements/save-runs.ts'))).toBe(true)
  })

  it('decides nothing about the state of an alert in prisma', () => {
    expect(alertDecisionsIn("if (alert.state === 'open') await tx.alert.update({})")).toEqual([
      'compares a state',
      "names 'open'",
      'writes an alert',
    ])
    expect(alertDecisionsIn("db.$executeRaw`UPDATE alert SET state = 'withdrawn' WHERE id = ${id}`")).toEqual([
      "names 'withdrawn'",
      'writes an alert',
    ])
    expect(alertDecisionsIn('const recovered = expected.open')).toEqual([])
    const found = code
      .filter((file) => file.startsWith('prisma/'))
      .flatMap((file) => alertDecisionsIn(textOf(file)).map((what) => `${file}: ${what}`))
    // The one that stores the output of lib/rules/alert-lifecycle.ts.
    expect(found).toEqual(['prisma/statements/alert-changes.ts: writes an alert'])
  })

  it('calls the detector in one place, which pages do not import', () => {
    const product = code.filter((file) => !/^(?:tests|scripts)\//.test(file) && !file.startsWith('lib/detect/'))
    const asking = product.filter((file) => /\bfindChangePoints\b/.test(textOf(file)))
    expect(asking).toContain('lib/levels/change-tracker.ts')
    expect(asking.filter((file) => !file.startsWith('lib/levels/'))).toEqual([])
    const knowing = product.filter((file) => importsOf.get(file)?.some((one) => one.startsWith('lib/detect/')))
    expect(knowing.filter((file) => /^(?:app|components)\//.test(file))).toEqual([])
  })

  it('draws in one place', () => {
    const drawing = code.filter((file) => /^(?:app|components)\//.test(file) && /<svg|'svg'/.test(textOf(file)))
    const elsewhere = drawing.filter((file) => !file.startsWith('components/charts/plot/') && !icons.includes(file))
    expect(elsewhere).toEqual([])
    const recharts = code.filter((file) => /from 'recharts'/.test(textOf(file)) && !file.startsWith('tests/'))
    expect(recharts).toEqual(['components/charts/plot/recharts.tsx'])
  })

  it('defines colours in the tokens only', () => {
    const named = files.filter((file) => /^(?:app|components|lib)\//.test(file) && /#[0-9a-f]{6}\b/i.test(textOf(file)))
    expect(named.filter((file) => file !== 'app/tokens.css')).toEqual([])
  })

  it('has pages of at most 60 lines', () => {
    const long = code
      .filter((file) => /^app\/.*page\.tsx$/.test(file))
      .filter((file) => textOf(file).trimEnd().split('\n').length > 60)
    expect(long).toEqual([])
  })

  it('has no folder with a meaningless name', () => {
    const idle = /(?:^|\/)(?:utils|helpers|services|types|hooks)\//
    expect(files.filter((file) => idle.test(file))).toEqual([])
    const barrels = code.filter((file) => /(?:^|\/)index\.tsx?$/.test(file))
    expect(barrels).toEqual(['importers/index.ts'])
  })

  it('lists each floor in CONTRIBUTING', () => {
    const section = textOf('CONTRIBUTING.md').split('## Rooms and floors')[1]?.split('\n\nESLint')[0] ?? ''
    const rows = [...section.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)]
    expect(rows.length).toBeGreaterThan(5)
    for (const [, room = '', floors = ''] of rows) {
      const folder = path.join(root, room === 'app' ? 'app/_server' : room)
      const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
      const named = [...floors.matchAll(/`([a-z0-9]+)`/g)].map(([, name]) => name)
      const there = inside.map(({ name }) => name).filter((name) => name !== 'generated')
      expect([room, named.sort()]).toEqual([room, there.sort()])
    }
  })

  it('keeps its README, licence and change log', () => {
    for (const name of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'LICENSE']) {
      expect(existsSync(path.join(root, name)), name).toBe(true)
    }
  })
})

const icons: readonly string[] = ['components/ui/icon.tsx', 'components/ui/state-mark.tsx', 'components/ui/arrow.tsx']
