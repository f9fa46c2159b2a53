import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
/** 60 kB and more on the wire; the server has already read what a browser draws. */
const serverOnly = ['hdr-histogram-js', 'lru-cache', 'zod']

const isFile = (file: string) => existsSync(file) && statSync(file).isFile()

/** Imports of values, static and dynamic; type imports disappear. */
function importsOf(file: string): readonly string[] {
  const source = readFileSync(file, 'utf8')
  const fixed = [...source.matchAll(/^(?:import|export) (?!type\b)([^;'"]*?)from '([^']+)'/gm)]
    .filter(([, names = '']) => !/^\{(?:\s*type [^,}]+,?)+\s*\}\s*$/.test(names))
    .map(([, , from = '']) => from)
  return [...fixed, ...[...source.matchAll(/import\('([^']+)'\)/g)].map(([, from = '']) => from)]
}

function resolved(from: string, name: string): string {
  if (!name.startsWith('.') && !name.startsWith('@/')) return name
  const place = name.startsWith('@/') ? path.join(root, name.slice(2)) : path.join(path.dirname(from), name)
  return [place, `${place}.ts`, `${place}.tsx`].find(isFile) ?? place
}

/** How a file reaches a package that only the server may load; null: it does not. */
function wayToServer(file: string, seen: Set<string>): string | null {
  if (serverOnly.includes(file)) return file
  if (seen.has(file) || !/\.tsx?$/.test(file)) return null
  seen.add(file)
  for (const name of importsOf(file)) {
    const way = wayToServer(resolved(file, name), seen)
    if (way !== null) return `${path.relative(root, file)} → ${way}`
  }
  return null
}

const clientFiles = ['components', 'app']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(root, folder, file),
    ),
  )
  .filter((file) => /\.tsx?$/.test(file) && /^'use client'/.test(readFileSync(file, 'utf8')))

it('sends no decoder of histograms and no schemas to browsers', () => {
  expect(clientFiles.length).toBeGreaterThan(20)
  const ways = clientFiles.flatMap((file) => wayToServer(file, new Set()) ?? [])
  expect(ways).toEqual([])
})

it('finds them on the server side', () => {
  expect(wayToServer(path.join(root, 'components/charts/percentiles.ts'), new Set())).toContain('hdr-histogram-js')
})
