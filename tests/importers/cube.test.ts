import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { importFile } from '@/importers'
import { edgesNs } from '@/lib/cube/buckets'
import type { Cube } from '@/lib/cube/cube'
import { generatePair, writeRows } from '../lib/explain/generated-pairs'
import { writeResults } from '../bench/results-files'
import { chunksOf, cubeOfText } from '../lib/cube/cube-of-text'

const folder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-cube-'))
afterAll(() => rmSync(folder, { recursive: true }))

const valuesOf = (cube: Cube, name: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    cube.attributes.find((one) => one.name === name)?.values.map(({ value, rows }) => [value, rows]) ?? [],
  )
const total = (counts: ArrayLike<number>): number => Array.from(counts).reduce((sum, count) => sum + count, 0)

it('nothing is beside a run unless it is asked for, and its fields are the same', async () => {
  const pair = generatePair('value', 2)
  const bytes = Buffer.from(writeRows(pair, pair.head, 1))
  const plain = await importFile(chunksOf(bytes))
  const { beside, ...asked } = await importFile(chunksOf(bytes), null, { cube: true, table: true })
  expect(plain.beside).toBeUndefined()
  expect(asked).toEqual(plain)
  expect(beside?.[0]?.cube?.rows).toBe(pair.head.length)
  expect(beside?.[0]?.rows?.count).toBe(pair.head.length)
})

it("the three forms of vegeta's results make the same cube", async () => {
  const [csv, gob, json] = await Promise.all(
    (['csv', 'gob', 'json'] as const).map((form) =>
      cubeOfText(readFileSync(writeResults(folder, 'timed', form, 6_000))),
    ),
  )
  expect(gob).toEqual(csv)
  expect(json).toEqual(csv)
  if (csv === undefined) throw new Error('it was read')
  expect(csv.rows).toBe(6_000)
  expect(csv.numbers.map(({ name, rows }) => [name, rows])).toEqual([
    ['server-timing;db', 6_000],
    ['server-timing;app', 6_000],
    ['x-envoy-upstream-service-time', 6_000],
  ])
  expect(valuesOf(csv, 'header:x-cache')).toEqual({ MISS: 4_000, HIT: 2_000 })
  expect(valuesOf(csv, 'header:server')).toEqual({ 'value-3-of-some-length': 6_000 })
  expect(Object.keys(valuesOf(csv, 'target')).sort()).toEqual(['GET /items', 'GET /items/42', 'GET /search'])
  expect(valuesOf(csv, 'method')).toEqual({ GET: 6_000 })
})

it('each attribute has every row, and each value the histogram of its own rows', async () => {
  const pair = generatePair('status', 4)
  const cube = await cubeOfText(writeRows(pair, pair.head, 1))
  for (const { values } of cube.attributes) {
    expect(values.reduce((sum, { rows }) => sum + rows, 0)).toBe(cube.rows)
    for (const { rows, counts, statusClasses } of values) {
      expect(total(counts)).toBe(rows)
      expect(statusClasses.reduce((sum, count) => sum + count, 0)).toBe(rows)
    }
  }
  expect(cube.slices.reduce((sum, slice) => sum + total(slice), 0)).toBe(cube.rows)
  const target = cube.attributes.find(({ name }) => name === 'target')?.values[0]
  const own = pair.head.filter((row) => row.target === target?.value)
  expect(target?.rows).toBe(own.length)
  // Exact at an edge: as many rows are up to it as in the file.
  const printedNs = own.map(({ ms }) => (pair.tool === 'jmeter' ? Math.round(ms) * 1e6 : Math.round(ms * 1e3) * 1e3))
  for (const bucket of [600, 700, 760, 800]) {
    const upTo = total(target?.counts.subarray(0, bucket + 1) ?? [])
    if (pair.tool !== 'k6') expect(upTo).toBe(printedNs.filter((ns) => ns <= (edgesNs[bucket] ?? 0)).length)
  }
})

it('more values than a cube holds are counted in the rest, and ids are left out', async () => {
  const rows = Array.from({ length: 3_000 }, (_, at) => {
    const block = Buffer.from(`X-Trace: trace-${at}\r\nX-Pod: pod-${at % 7}\r\n\r\n`).toString('base64')
    return `${1_795_226_400_000_000_000n + BigInt(at) * 1_000_000n},200,${5_000_000 + at},0,64,,,,${at},GET,http://shop.test/items/${at % 900}?page=${at},${block}\n`
  })
  const cube = await cubeOfText(rows.join(''))
  const target = cube.attributes.find(({ name }) => name === 'target')
  expect(target?.values).toHaveLength(51)
  expect(target?.values.at(-1)?.value).toBe('(rest)')
  expect(target?.values.reduce((sum, { rows: own }) => sum + own, 0)).toBe(3_000)
  expect(cube.dropped).toEqual(['header:x-trace'])
  expect(Object.keys(valuesOf(cube, 'header:x-pod'))).toHaveLength(7)
})

it('headers that begin to differ late are found', async () => {
  const rows = Array.from({ length: 6_000 }, (_, at) => {
    const cold = at > 4_000 && at % 5 === 0 ? 'X-Cold-Start: 1\r\n' : ''
    const block = Buffer.from(`${cold}X-Region: ${at > 5_000 ? 'west' : 'east'}\r\n\r\n`).toString('base64')
    return `${1_795_226_400_000_000_000n + BigInt(at) * 1_000_000n},200,5000000,0,64,,,,${at},GET,http://shop.test/items,${block}\n`
  })
  const cube = await cubeOfText(rows.join(''))
  const region = valuesOf(cube, 'header:x-region')
  expect(region['west']).toBeGreaterThan(980)
  expect((region['west'] ?? 0) + (region['east'] ?? 0)).toBe(6_000)
  expect(valuesOf(cube, 'cold')['cold']).toBeGreaterThan(380)
})

it('hey tells connections, k6 users, and a table of ghz has no times', async () => {
  const seedOf = (tool: string) =>
    [...Array(60).keys()].find((seed) => generatePair('nothing', seed).tool === tool) ?? 0
  const hey = generatePair('nothing', seedOf('hey'))
  const cube = await cubeOfText(writeRows(hey, hey.base, 0))
  expect(Object.keys(valuesOf(cube, 'connection')).sort()).toEqual(['new', 'reused'])
  // Stamps of 0.1 ms let the next request begin before the last one ends.
  expect(Math.abs((cube.peakInFlight ?? 0) - hey.users[0])).toBeLessThan(4)
  const k6 = generatePair('nothing', seedOf('k6'))
  expect((await cubeOfText(writeRows(k6, k6.base, 0))).users).toBe(k6.users[0])
  const ghz = await cubeOfText('duration (ms),status,error\n3.80,OK,\n11.24,NotFound,rpc error\n')
  expect(ghz).toMatchObject({ rows: 2, spanMs: 0, slices: [] })
})
