import { describe, expect, it } from 'vitest'
import { explain } from '@/lib/explain/explain'
import { whyDocument } from '@/lib/explain/why-document'
import { whySentence } from '@/lib/explain/why-sentence'
import { generatePair, plantedKinds, writeRows, type PlantedKind } from './generated-pairs'
import { cubeOfText } from '../cube/cube-of-text'

const sides = { base: 'the baseline', head: 'the candidate', baseSpanMs: 60_000, headSpanMs: 60_000 }

async function explained(kind: PlantedKind, seed: number) {
  const pair = generatePair(kind, seed)
  const base = await cubeOfText(writeRows(pair, pair.base, 0))
  const head = await cubeOfText(writeRows(pair, pair.head, 1))
  return { pair, base, head, explanation: explain(base, head) }
}

describe('pairs with a planted cause', () => {
  it.each(plantedKinds)('%s', async (kind) => {
    const { pair, base, head, explanation } = await explained(kind, 4_002)
    const document = whyDocument(explanation)
    expect(document.kind).toBe(kind)
    const { accept, window } = pair.label
    if (accept) expect(accept.map(({ attribute }) => attribute)).toContain(document.attribute)
    if (window) expect(document.window?.[0]).toBeCloseTo(window[0], 1)
    expect(document.parts.length).toBeGreaterThanOrEqual(5)
    for (const one of explanation.parts) {
      const sum = one.parts.reduce((total, { share }) => total + share, 0)
      expect(Math.abs(sum + one.remainder - (one.headShare - one.baseShare))).toBeLessThan(1e-9)
      expect(Math.abs(one.remainder)).toBeLessThan(1e-9)
    }
    const words = whySentence(explanation, sides)
    expect(words).not.toMatch(/because|caused/)
    // Swapped, it is the same cause on the other side.
    expect(explain(head, base).kind).toBe(kind)
    expect(explain(base, base).kind).toBe('nothing')
  })
})

describe('input that cannot be ranked', () => {
  const line = (at: number, ms: number, target: string) =>
    `${1_795_226_400_000_000_000n + BigInt(at) * 10_000_000n},200,${Math.round(ms * 1e6)},0,64,,,,${at},GET,http://shop.test/${target},\n`
  const lines = (count: number, of: (at: number) => string) => Array.from({ length: count }, (_, at) => of(at)).join('')

  it('disjoint targets are all mix', async () => {
    const base = await cubeOfText(lines(2_000, (at) => line(at, 10 + (at % 97), 'a')))
    const head = await cubeOfText(lines(2_000, (at) => line(at, 40 + (at % 97), 'b')))
    const explanation = explain(base, head)
    expect(explanation.areTargetsDisjoint).toBe(true)
    const [first] = explanation.parts
    expect(first?.parts.filter(({ kind }) => kind === 'within').every(({ share }) => share === 0)).toBe(true)
  })

  it('few rows have parts and no cause', async () => {
    const base = await cubeOfText(lines(150, (at) => line(at, 10 + (at % 7), 'a')))
    const head = await cubeOfText(lines(150, (at) => line(at, 90 + (at % 7), 'a')))
    const explanation = explain(base, head)
    expect([explanation.kind, explanation.candidates.length]).toEqual(['too-few', 0])
    expect(explanation.parts.length).toBeGreaterThan(1)
  })

  it('an attribute of one side is not ranked, and is named', async () => {
    const cold = generatePair('cold-starts', 4_001)
    const plain = generatePair(
      'nothing',
      [...Array(60).keys()].find((seed) => generatePair('nothing', seed).tool === 'vegeta') ?? 0,
    )
    const base = await cubeOfText(writeRows(cold, cold.base, 0))
    const head = await cubeOfText(writeRows(plain, plain.head, 1))
    expect(explain(base, head).oneSided).toContainEqual({ side: 'base', attribute: 'cold' })
  })

  it('a hundred thousand addresses are fifty and the rest', async () => {
    const base = await cubeOfText(lines(20_000, (at) => line(at, 10 + (at % 31), `items/${(at * 7_919) % 100_000}`)))
    const head = await cubeOfText(lines(20_000, (at) => line(at, 15 + (at % 31), `items/${(at * 7_919) % 100_000}`)))
    const { candidates } = explain(base, head)
    expect(candidates.every(({ value }) => value !== '(rest)')).toBe(true)
  })
})
