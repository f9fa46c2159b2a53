import { expect, it } from 'vitest'
import { explainSides, type WhyEvidence } from '@/lib/explain/explain-sides'
import { namedCurves } from '@/lib/explain/named-curves'
import { rankedValues } from '@/lib/explain/ranked-values'
import { shownParts } from '@/lib/explain/shown-parts'
import { cubeOfText } from '../cube/cube-of-text'
import { generatePair, writeRows } from './generated-pairs'

async function evidenceOf(kind: Parameters<typeof generatePair>[0], seed: number): Promise<WhyEvidence> {
  const pair = generatePair(kind, seed)
  const cubes = [
    await cubeOfText(writeRows(pair, pair.base, 0)),
    await cubeOfText(writeRows(pair, pair.head, 1)),
  ] as const
  const run = { tool: pair.tool, latencies: [] } as const
  const answer = explainSides(
    { name: 'a', runs: [{ run, cube: cubes[0] }] },
    { name: 'b', runs: [{ run, cube: cubes[1] }] },
  )
  if (answer.evidence === null) throw new Error(answer.report.sentence)
  return answer.evidence
}

const kinds = ['target', 'shift', 'mix', 'tail', 'status', 'time-window', 'nothing'] as const

it.each(kinds)('the parts that are drawn add up to the difference, in whole requests: %s', async (kind) => {
  for (const seed of [21, 22]) {
    const evidence = await evidenceOf(kind, seed)
    for (const { parts, baseRows, headRows, baseShare, headShare, name } of shownParts(evidence)) {
      expect(parts.reduce((sum, { rows }) => sum + rows, 0)).toBe(headRows - baseRows)
      expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(headShare - baseShare, 9)
      expect(name).toMatch(/^p\d/)
      expect(new Set(parts.map((part) => part.kind)).size).toBe(parts.length)
    }
  }
})

it('what is named is drawn beside all others, and is first among the values', async () => {
  const evidence = await evidenceOf('target', 21)
  const [first] = evidence.explanation.candidates
  const [named, others] = namedCurves(evidence)
  expect(named?.title).toBe(first?.value)
  expect(others?.title).toBe('All others')
  expect((named?.head?.rows ?? 0) + (others?.head?.rows ?? 0)).toBe(evidence.head.rows)
  for (const { points } of [named?.head, others?.head].flatMap((one) => one ?? []))
    expect(points.map(({ ms }) => ms)).toEqual(points.map(({ ms }) => ms).toSorted((a, b) => a - b))
  const shown = shownParts(evidence).find(({ name }) => name === 'p90')
  if (shown === undefined) throw new Error('p90 expected')
  const { values, looked, attributes } = rankedValues(evidence, shown)
  expect(values[0]).toMatchObject({ attribute: 'target', value: first?.value })
  expect(values[0]?.ofDifference).toBeGreaterThan(0.5)
  expect(looked).toBe(evidence.explanation.looked)
  expect(attributes).toBeGreaterThan(1)
})

it('of a stretch of time its requests are drawn beside the rest of the run', async () => {
  const [named, others] = namedCurves(await evidenceOf('time-window', 21))
  expect(named?.title).toMatch(/^[\d.]+–[\d.]+ s of the (?:candidate|baseline)$/)
  expect(others?.head?.rows).toBeGreaterThan(named?.head?.rows ?? Infinity)
})

it('what lies within a stretch of time is a part of its own', async () => {
  const shown = shownParts(await evidenceOf('time-window', 21))
  const p99 = shown.find(({ name }) => name === 'p99')
  const named = p99?.parts.find(({ kind }) => kind === 'named')
  expect(named?.words).toMatch(/^Within [\d.]+–[\d.]+ s of the/)
  expect((named?.rows ?? 0) / ((p99?.headRows ?? 0) - (p99?.baseRows ?? 0))).toBeGreaterThan(0.8)
})

it('of what all share no value is named', async () => {
  const evidence = await evidenceOf('shift', 21)
  const shown = shownParts(evidence).find(({ name }) => name === 'p50')
  if (shown === undefined) throw new Error('p50 expected')
  const { values, isBeyondShift } = rankedValues(evidence, shown)
  expect(isBeyondShift).toBe(true)
  for (const { ofDifference } of values) expect(Math.abs(ofDifference ?? 0)).toBeLessThan(0.3)
})

it('where all are alike, all are drawn, and no value is beyond the others', async () => {
  const evidence = await evidenceOf('nothing', 21)
  expect(namedCurves(evidence).map(({ title }) => title)).toEqual(['All requests'])
  const [shown] = shownParts(evidence)
  if (shown === undefined) throw new Error('parts expected')
  expect(rankedValues(evidence, shown).values.filter(({ ofDifference }) => ofDifference !== null)).toEqual([])
})
