import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
/** 60 kB and more on the wire; the server has already read what a browser draws. */
const isServerOnly = (name: string) => ['hdr-histogram-js', 'lru-cache', 'zod'].includes(name)
/** `next/og` draws pictures on its own. */
const isOfNext = (name: string) => /^next(?:\/(?!og$)|$)/.test(name)

const isFile = (file: string) => existsSync(file) && statSync(file).isFile()

/** Imports of values; type imports disappear. `isLate`: those that are loaded on demand, too. */
function importsOf(file: string, isLate: boolean): readonly string[] {
  const source = readFileSync(file, 'utf8')
  const fixed = [...source.matchAll(/^(?:import|export) (?!type\b)([^;'"]*?)from '([^']+)'/gm)]
    .filter(([, names = '']) => !/^\{(?:\s*type [^,}]+,?)+\s*\}\s*$/.test(names))
    .map(([, , from = '']) => from)
  return isLate ? [...fixed, ...[...source.matchAll(/import\('([^']+)'\)/g)].map(([, from = '']) => from)] : fixed
}

function resolved(from: string, name: string): string {
  if (!name.startsWith('.') && !name.startsWith('@/')) return name
  const place = name.startsWith('@/') ? path.join(root, name.slice(2)) : path.join(path.dirname(from), name)
  return [place, `${place}.ts`, `${place}.tsx`].find(isFile) ?? place
}

/** How a file reaches a package of a kind; null: it does not. `isLate`: also by what is loaded on demand. */
function wayTo(
  isWanted: (name: string) => boolean,
  file: string,
  isLate = true,
  seen = new Set<string>(),
): string | null {
  if (isWanted(file)) return file
  if (seen.has(file) || !/\.tsx?$/.test(file)) return null
  seen.add(file)
  for (const name of importsOf(file, isLate)) {
    const way = wayTo(isWanted, resolved(file, name), isLate, seen)
    if (way !== null) return `${path.relative(root, file)} → ${way}`
  }
  return null
}

const files = ['components', 'app'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
    path.join(root, folder, file),
  ),
)
const clientFiles = files.filter((file) => /\.tsx?$/.test(file) && /^'use client'/.test(readFileSync(file, 'utf8')))

it('sends no decoder of histograms and no schemas to browsers', () => {
  expect(clientFiles.length).toBeGreaterThan(20)
  const ways = clientFiles.flatMap((file) => wayTo(isServerOnly, file) ?? [])
  expect(ways).toEqual([])
})

it('sends the tables of tools and metrics only to pages that read files', () => {
  const isTable = (name: string) => /\blib\/run\/(tools|metrics)\.ts$/.test(name)
  const readers = clientFiles.filter((file) => !file.includes(`${path.sep}upload${path.sep}`))
  expect(readers.flatMap((file) => wayTo(isTable, file, false) ?? [])).toEqual([])
  expect(wayTo(isTable, path.join(root, 'components/runs/run-columns.ts'), false)).toContain('lib/run/metrics.ts')
})

it('finds them on the server side', () => {
  expect(wayTo(isServerOnly, path.join(root, 'components/charts/percentiles.ts'))).toContain('hdr-histogram-js')
})

it('routes need nothing of Next: the server calls them without it', () => {
  const routes = files.filter((file) => path.basename(file) === 'route.ts')
  expect(routes.length).toBeGreaterThan(80)
  expect(routes.flatMap((file) => wayTo(isOfNext, file) ?? [])).toEqual([])
  expect(wayTo(isOfNext, path.join(root, 'app/p/[project]/open-project.ts'))).toContain('next/navigation')
})

it('operations need no style sheets: benches and command line load them without a bundler', () => {
  const operations = readdirSync(path.join(root, 'app/_server/operations'), { recursive: true, encoding: 'utf8' })
  const own = operations
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(root, 'app/_server/operations', file))
  expect(own.length).toBeGreaterThan(25)
  const isStyle = (name: string) => name.endsWith('.css')
  expect(own.flatMap((file) => wayTo(isStyle, file) ?? [])).toEqual([])
  expect(wayTo(isStyle, path.join(root, 'components/charts/plot/table.tsx'))).toContain('plot.module.css')
})
