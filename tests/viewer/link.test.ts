import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { comparisonJson } from '@/components/shared/comparison-files'
import { importFile } from '@/importers/index'
import type { LocalFile } from '@/lib/files/local-runs'
import { arrange, prepareSides } from '@/viewer/arrange'
import { maxLinkBytes, readLink, writeLink } from '@/viewer/link'
import { wrkReport } from '../cli/wrk-report'

const nowMs = Date.UTC(2026, 10, 29)

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode(text))
}

const read = async (name: string, text: string, minute = 0): Promise<LocalFile> => ({
  input: { name, path: name },
  writtenAt: new Date(nowMs + minute * 60_000),
  file: await importFile(bytesOf(text)),
})

/** All files of a form that can be read, in pairs of neighbours. */
async function fixturePairs(form: string): Promise<(readonly [LocalFile, LocalFile])[]> {
  const folder = path.join('tests/fixtures', form)
  const names = readdirSync(folder).filter((name) => name.endsWith('.txt'))
  const files: LocalFile[] = []
  for (const name of names) {
    const file = await read(name, readFileSync(path.join(folder, name), 'utf8')).catch(() => null)
    if (file !== null && file.file.runs.length > 0) files.push(file)
  }
  return files.slice(1).flatMap((file, at) => (files[at] ? [[files[at], file] as const] : []))
}

const sidesOf = (files: readonly LocalFile[]) => arrange(files, files.length, nowMs).pairings[0]?.sides ?? []

const jsonOf = (sides: Parameters<typeof prepareSides>[0]) => {
  const prepared = prepareSides(sides, new URLSearchParams())
  return prepared && comparisonJson(prepared)
}

it('carries a hundred comparisons there and back', async () => {
  const pairs = (
    await Promise.all(
      ['hey-text', 'wrk-text', 'oha-text', 'ab-text', 'bombardier-text', 'h2load-text'].map(fixturePairs),
    )
  ).flat()
  let count = 0
  for (const pair of pairs) {
    const sides = sidesOf(pair)
    const link = writeLink(sides)
    if (link === null || count === 100) continue
    const opened = readLink(`#${link}`, nowMs)
    expect(opened?.kind === 'sides' && jsonOf(opened.sides)).toEqual(jsonOf(sides))
    count += 1
  }
  expect(count).toBe(100)
})

it('holds eight rounds of two sides, and no words that were around the figures', async () => {
  const secret = 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123456789'
  const files = await Promise.all(
    Array.from({ length: 16 }, (_, at) =>
      read(
        `${at < 8 ? 'before' : 'after'}-${(at % 8) + 1}.txt`,
        `# Heading of mine\n\n$ wrk -H "${secret}" http://127.0.0.1/\n${wrkReport(at < 8 ? 1 : 1.2 + at / 1_000)}`,
        at,
      ),
    ),
  )
  const sides = sidesOf(files)
  expect(sides.map((side) => side.length)).toEqual([8, 8])
  const link = writeLink(sides) ?? ''
  expect(link).toMatch(/^v1\.[\w-]+$/)
  expect(link.length).toBeLessThan(maxLinkBytes)
  const opened = readLink(link, nowMs)
  expect(JSON.stringify(opened)).not.toMatch(/abcdefghijklm|Running 10s/)
  expect(opened?.kind === 'sides' && prepareSides(opened.sides, new URLSearchParams())?.comparison.sentence).toBe(
    prepareSides(sides, new URLSearchParams())?.comparison.sentence,
  )
})

it('refuses fifty tampered links, and newer ones, by name', async () => {
  const link = writeLink(sidesOf([await read('a.txt', wrkReport(1)), await read('b.txt', wrkReport(1.2))])) ?? ''
  const damaged = { kind: 'refused', sentence: expect.stringContaining('This link is damaged') as string }
  const letters = [...link]
  for (let at = 0; at < 50; at += 1) {
    const place = 3 + Math.floor((at * (letters.length - 5)) / 50)
    const other = letters[place] === 'A' ? 'z' : 'A'
    const tampered = letters.map((letter, index) => (index === place ? other : letter)).join('')
    expect(readLink(`#${tampered}`, nowMs), `letter ${place}`).toEqual(damaged)
  }
  expect(readLink(`#${link.slice(0, -9)}`, nowMs)).toEqual(damaged)
  expect(readLink('#v1.', nowMs)).toEqual(damaged)
  expect(readLink(`#v2.${link.slice(3)}`, nowMs)).toEqual({
    kind: 'refused',
    sentence: expect.stringContaining('made by a newer Tailboard (version 2 of links') as string,
  })
  expect(readLink('#page', nowMs)).toBeNull()
})

it('says that it shows the first 400 of many runs', async () => {
  const file = await read('a.txt', wrkReport(1))
  const [run] = file.file.runs
  if (!run) throw new Error('a run expected')
  const many = { ...file, file: { ...file.file, runs: Array.from({ length: 400 }, () => run) } }
  const { notes, pairings } = arrange([many], 10_000, nowMs)
  expect(notes).toEqual(['These files hold 10000 runs. The first 400 are shown.'])
  expect(pairings[0]?.sides.flat()).toHaveLength(400)
})
