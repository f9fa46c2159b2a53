import { expect, it } from 'vitest'
import { importFile } from '@/importers/index'
import type { LocalFile } from '@/lib/files/local-runs'
import { arrange, prepareSides } from '@/viewer/arrange'
import { apart, hasTwice } from '@/viewer/same-names'
import { wrkReport } from '../cli/wrk-report'

const nowMs = Date.UTC(2026, 10, 29)

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode(text))
}

const read = async (name: string, factor: number): Promise<LocalFile & { readonly sizeBytes: number }> => ({
  input: { name, path: name },
  writtenAt: new Date(nowMs - factor * 60_000),
  file: await importFile(bytesOf(wrkReport(factor))),
  sizeBytes: wrkReport(factor).length,
})
const namesOf = (files: readonly LocalFile[]) => files.map(({ input }) => input.name)
const sidesOf = (files: readonly LocalFile[]) => arrange(apart(files), files.length, nowMs).pairings[0]?.sides ?? []

it('two files of one name are two sides, each with its own runs', async () => {
  const files = [await read('out.txt', 1), await read('out.txt', 1.2)]
  expect(namesOf(apart(files))).toEqual(['out.txt', 'out (2).txt'])
  const sides = sidesOf(files)
  expect(sides.map((side) => side.map(({ id, figures }) => [id, figures.p99Ms]))).toEqual([
    [['out.txt', 5]],
    [['out (2).txt', 6]],
  ])
  expect(prepareSides(sides, new URLSearchParams())?.names).toEqual(['out', 'out (2)'])
})

it('no name is taken twice, also where a file is called like that', async () => {
  const files = await Promise.all(['out (2).txt', 'out.txt', 'out.txt', 'out.txt', 'out'].map((name) => read(name, 1)))
  expect(namesOf(apart(files))).toEqual(['out (2).txt', 'out.txt', 'out (3).txt', 'out (4).txt', 'out'])
  const late = await Promise.all(['out.txt', 'out.txt', 'out (2).txt'].map((name) => read(name, 1)))
  expect(namesOf(apart(late))).toEqual(['out.txt', 'out (3).txt', 'out (2).txt'])
})

it('repeats of one name from two folders are two sides', async () => {
  const files = await Promise.all(
    [1, 1.2].flatMap((factor) => [1, 2, 3].map((run) => read(`run-${run}.txt`, factor * (1 + run / 100)))),
  )
  const sides = sidesOf(files)
  expect(sides.map((side) => side.map(({ id }) => id))).toEqual([
    ['run-1.txt', 'run-2.txt', 'run-3.txt'],
    ['run-1 (2).txt', 'run-2 (2).txt', 'run-3 (2).txt'],
  ])
})

it('one file given twice is known as that', async () => {
  const [a, b] = [await read('out.txt', 1), await read('out.txt', 1.2)]
  expect([hasTwice([a, b]), hasTwice([a, a])]).toEqual([false, true])
})
