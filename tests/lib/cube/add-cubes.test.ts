import { expect, it } from 'vitest'
import { addCubes, addGenerators } from '@/lib/cube/add-cubes'
import type { Cube } from '@/lib/cube/cube'
import { absentValue, maxValues, restValue } from '@/lib/cube/cube'
import { joinValues } from '@/lib/cube/join-values'
import { maskedCube } from '@/lib/cube/masked-cube'
import { generatePair, writeRows } from '../explain/generated-pairs'
import { cubeOfText } from './cube-of-text'

const rowsOf = (counts: Uint32Array) => counts.reduce((sum, count) => sum + count, 0)

async function twoCubes(): Promise<[Cube, Cube]> {
  const pair = generatePair('target', 11)
  return [await cubeOfText(writeRows(pair, pair.base, 0)), await cubeOfText(writeRows(pair, pair.head, 1))]
}

it('runs added up have the rows of all, in every attribute and slice', async () => {
  const [one, other] = await twoCubes()
  const both = addCubes([one, other])
  const rows = one.rows + other.rows
  expect(both).toMatchObject({ rows, sumMs: one.sumMs + other.sumMs, spanMs: one.spanMs + other.spanMs })
  expect(rowsOf(both.all)).toBe(rows)
  expect(both.slices.reduce((sum, slice) => sum + rowsOf(slice), 0)).toBe(rows)
  for (const { name, values } of both.attributes) {
    const found = values.reduce((sum, value) => sum + value.rows, 0)
    expect([name, found]).toEqual([name, rows])
    for (const value of values) expect(rowsOf(value.counts)).toBe(value.rows)
  }
  expect(addCubes([one])).toBe(one)
})

it('generators of one test have the users and requests in flight of all', async () => {
  const [one, other] = await twoCubes()
  const [a, b] = [
    { ...one, users: 10, peakInFlight: 4 },
    { ...other, users: 20, peakInFlight: null },
  ]
  expect(addGenerators(a, b)).toMatchObject({
    ...{ rows: a.rows + b.rows, spanMs: Math.max(a.spanMs, b.spanMs) },
    ...{ users: 30, peakInFlight: null },
  })
})

it('what only one of them records is left out by name', async () => {
  const [one, other] = await twoCubes()
  const both = addCubes([one, { ...other, attributes: other.attributes.filter(({ name }) => name !== 'target') }])
  expect(both.attributes.map(({ name }) => name)).not.toContain('target')
  expect(both.dropped).toContain('target')
})

it('the most frequent values and rows without one stay apart', async () => {
  const [{ all }] = await twoCubes()
  const value = (name: string, rows: number) => ({ value: name, rows, sumMs: 1, counts: all, statusClasses: [rows] })
  const many = Array.from({ length: 60 }, (_, at) => value(`v${at}`, 1_000 - at))
  const { values, restValues } = joinValues([...many, value(absentValue, 1), value(restValue, 7), value('v0', 5)])
  expect(values).toHaveLength(maxValues + 2)
  expect(values[0]).toMatchObject({ value: 'v0', rows: 1_005 })
  expect(values.at(-1)?.value).toBe(restValue)
  expect(values.some((one) => one.value === absentValue)).toBe(true)
  expect(restValues).toBe(10)
})

it('secrets in the names of values are masked, and values that are equal then are one', async () => {
  const [cube] = await twoCubes()
  const secret = (at: number) => `GET /a/ghp_${String(at).repeat(36)}`
  const attributes = cube.attributes.map((one) => ({
    ...one,
    values: one.name === 'target' ? one.values.map((value, at) => ({ ...value, value: secret(at) })) : one.values,
  }))
  const targets = maskedCube({ ...cube, attributes }).attributes.find(({ name }) => name === 'target')?.values ?? []
  expect(targets.map(({ value }) => value)).toEqual(['GET /a/[masked]'])
  expect(targets[0]?.rows).toBe(cube.rows)
  expect(maskedCube(cube)).toEqual(cube)
})
