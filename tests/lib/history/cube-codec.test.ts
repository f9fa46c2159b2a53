import { expect, it } from 'vitest'
import { bucketBelow, bucketCount, edgeMs, edgesNs } from '@/lib/cube/buckets'
import { decodeCube, encodeCube } from '@/lib/history/cube-codec'
import { cubeOfText } from '../cube/cube-of-text'
import { generatePair, writeRows } from '../explain/generated-pairs'

it('a cube is the same after it was stored', async () => {
  const pair = generatePair('value', 3)
  const cube = await cubeOfText(writeRows(pair, pair.head, 1))
  const bytes = await encodeCube(cube)
  const read = await decodeCube(bytes)
  expect(read?.attributes.map(({ name }) => name)).toEqual(cube.attributes.map(({ name }) => name))
  const rounded = cube.attributes.map((attribute) => ({
    ...attribute,
    values: attribute.values.map((value) => ({ ...value, sumMs: Math.round(value.sumMs * 1e6) / 1e6 })),
  }))
  expect(read).toEqual({ ...cube, attributes: rounded })
  expect(bytes.length).toBeLessThan(20_000)
})

it('a cube of another version is not read', async () => {
  const pair = generatePair('nothing', 1)
  const bytes = await encodeCube(await cubeOfText(writeRows(pair, pair.base, 0)))
  bytes[0] = 250
  expect(await decodeCube(bytes)).toBeNull()
})

it('buckets cover an hour, each 1.6 % wide', () => {
  expect(edgesNs[0]).toBe(100)
  expect((edgesNs[700] ?? 0) / (edgesNs[699] ?? 1)).toBeCloseTo(1.016, 9)
  expect(edgeMs(bucketCount - 1)).toBeGreaterThanOrEqual(3_600_000)
  expect(edgeMs(bucketBelow(Math.log(12)))).toBeLessThanOrEqual(12)
  expect(edgeMs(bucketBelow(Math.log(12)) + 1)).toBeGreaterThan(12)
})
