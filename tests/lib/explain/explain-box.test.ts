import { expect, it } from 'vitest'
import { readRowBox, rowBoxParams, rowBoxWords, type RowBox } from '@/lib/cube/row-box'
import { boxedText, homogeneousRows, planted, readBoxed } from './boxed-rows'
import { randomOf } from './generated-pairs'

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const open: RowBox = { fromMs: null, toMs: null, aboveMs: null, belowMs: null }

it.each(['vegeta', 'jmeter'] as const)('requests of one target in a box name it: %s', async (tool) => {
  const { answer } = await readBoxed(boxedText(homogeneousRows(1, 'target'), tool), planted)
  expect(answer.kind).toBe('stands-out')
  expect(answer.values[0]).toMatchObject({ attribute: 'target', value: 'GET /search', inside: 1, standsOut: true })
  expect(plain(answer.sentence)).toMatch(/^100 % of the requests in the box are GET \/search, 2\d % of the rest/)
  // Its method is implied, and not said.
  expect(answer.sentence).not.toContain('method')
  const others = answer.values.filter(
    ({ standsOut, attribute }) => standsOut && !['target', 'method'].includes(attribute),
  )
  expect(others).toEqual([])
})

it('new connections in a box are named, and that no target is', async () => {
  const { answer } = await readBoxed(boxedText(homogeneousRows(2, 'connection', 400), 'jmeter'), planted)
  expect(answer.values[0]).toMatchObject({ attribute: 'connection', value: 'new', inside: 1 })
  expect(plain(answer.sentence)).toMatch(
    /^100 % of the requests in the box are on new connections, \d(\.\d+)? % of the rest; no target stands out$/,
  )
})

it('random boxes over rows that differ by nothing name nothing', async () => {
  const text = boxedText(homogeneousRows(3, null))
  const random = randomOf(7)
  for (let tries = 0; tries < 40; tries++) {
    const fromMs = Math.round(20_000 * random())
    const aboveMs = 10 + Math.round(20 * random())
    const box = { fromMs, toMs: fromMs + 5_000, aboveMs: tries % 3 === 0 ? null : aboveMs, belowMs: null }
    const { answer } = await readBoxed(text, box)
    expect(answer.kind, JSON.stringify(box)).toBe('nothing')
    expect(answer.values.some(({ standsOut }) => standsOut)).toBe(false)
  }
})

it('fewer than 50 requests on either side are not ranked', async () => {
  const text = boxedText(homogeneousRows(4, 'target'))
  const few = await readBoxed(text, { ...planted, toMs: 13_000 })
  expect(few.answer).toMatchObject({ kind: 'too-few', values: [] })
  expect(few.answer.sentence).toBe(`${few.answer.insideRows} requests are in the box: too few to rank, 50 are needed`)
  const none = await readBoxed(text, { ...open, aboveMs: 5_000 })
  expect(none.answer.sentence).toBe('No request is in the box: too few to rank, 50 are needed')
  const all = await readBoxed(text, { ...open, fromMs: 0 })
  expect(all.answer).toMatchObject({ kind: 'too-few', outsideRows: 0 })
})

it('a box of times has the parts of the difference, and names what is slower in it', async () => {
  const { answer } = await readBoxed(boxedText(homogeneousRows(5, 'target')), {
    ...planted,
    aboveMs: null,
    belowMs: null,
  })
  expect(answer.kind).toBe('slower')
  expect(plain(answer.sentence)).toMatch(
    /% of the difference in latency stands with GET \/search \(2\d % of the traffic\)/,
  )
  for (const { baseShare, headShare, parts, remainder } of answer.parts) {
    const sum = parts.reduce((all, { share }) => all + share, 0)
    expect(Math.abs(headShare - baseShare - sum - remainder)).toBeLessThan(1e-9)
  }
  expect(answer.parts.length).toBeGreaterThan(3)
  // Latencies that the box chose are not taken apart.
  expect((await readBoxed(boxedText(homogeneousRows(5, 'target')), planted)).answer.parts).toEqual([])
})

it.each(['vegeta', 'hey', 'jmeter', 'k6'] as const)(
  'a box over cells holds the requests of these cells: %s',
  async (tool) => {
    // hey's times begin late: its timeline does not begin at 0.
    const rows = homogeneousRows(6, 'target').map((row) => ({ ...row, startS: row.startS + 7.3 }))
    const text = boxedText(rows, tool)
    const { run } = await readBoxed(text, open)
    const heat = run.timeline?.heat
    if (heat === undefined) throw new Error('the run has a heat map')
    const [columns, bands] = [heat.counts[0]?.length ?? 0, heat.lowerMs.length]
    const random = randomOf(11)
    for (let tries = 0; tries < 12; tries++) {
      const [x0, y0] = [Math.floor(random() * columns), Math.floor(random() * bands)]
      const [x1, y1] = [x0 + 1 + Math.floor(random() * (columns - x0)), y0 + 1 + Math.floor(random() * (bands - y0))]
      const box = {
        ...{ fromMs: x0 * heat.binMs, toMs: x1 * heat.binMs },
        ...{ aboveMs: heat.lowerMs[y0] ?? 0, belowMs: heat.lowerMs[y1] ?? null },
      }
      const cells = heat.counts.slice(y0, y1).flatMap((band) => band.slice(x0, x1))
      const { answer, beside } = await readBoxed(text, box)
      expect(answer.insideRows).toBe(cells.reduce((sum, count) => sum + count, 0))
      expect(answer.insideRows + answer.outsideRows).toBe(beside.cube?.rows)
    }
  },
)

// A header with one value is not counted row by row until it has another.
it.each([0, 14.3, 99])(
  'both sides of a box add up to the run, value by value, if a header varies from %d s',
  async (fromS) => {
    const rows = homogeneousRows(8, 'target').map((row) => (row.startS < fromS ? { ...row, isHit: true } : row))
    const { beside } = await readBoxed(boxedText(rows), { ...planted, aboveMs: null, belowMs: null })
    const inBox = rows.filter(({ startS }) => startS >= 12 && startS < 15)
    const cache = beside.box?.inside.attributes.find(({ name }) => name === 'header:x-cache')?.values ?? []
    const hits = cache.find(({ value }) => value === 'HIT')?.rows
    expect(hits).toBe(inBox.filter(({ isHit }) => isHit).length)
    const { cube, box } = beside
    if (cube === undefined || box === undefined) throw new Error('it was read')
    for (const { name, values } of cube.attributes)
      for (const { value, rows, counts, statusClasses, sumMs } of values) {
        const sides = [box.inside, box.outside].flatMap(({ attributes }) =>
          attributes
            .filter((one) => one.name === name)
            .flatMap((one) => one.values.filter((own) => own.value === value)),
        )
        const sum = (of: (one: (typeof sides)[number]) => number) => sides.reduce((all, one) => all + of(one), 0)
        expect(sum((one) => one.rows)).toBe(rows)
        expect(sum((one) => one.sumMs)).toBeCloseTo(sumMs, 6)
        expect(counts.every((count, at) => count === sum((one) => one.counts[at] ?? 0))).toBe(true)
        expect(statusClasses.every((count, at) => count === sum((one) => one.statusClasses[at] ?? 0))).toBe(true)
      }
  },
)

it('a target beyond the most frequent of the run is named if the box is full of it', async () => {
  // 80 targets of equal shares: 50 of them are told apart in a cube.
  const rows = homogeneousRows(9, null).map((row, at) => ({ ...row, target: `GET /items/${at % 80}` }))
  const rare = rows.map((row, at) =>
    row.startS >= 12 && row.startS < 15 && at % 4 === 0 ? { ...row, target: 'GET /rare', ms: 150 } : row,
  )
  const { answer } = await readBoxed(boxedText(rare), planted)
  expect(answer.values[0]).toMatchObject({ attribute: 'target', value: 'GET /rare', outside: 0, inside: 1 })
  // What the box lacks is none of its values, and what the run hardly has is not mistaken for absent.
  const many = await readBoxed(boxedText(rows), { ...open, fromMs: 3_000, toMs: 4_500 })
  expect(many.answer.kind).toBe('nothing')
})

it('a box is the same in its address and in words', () => {
  const box = { fromMs: 12_400, toMs: 15_000, aboveMs: 80, belowMs: 1_200 }
  expect(rowBoxParams(box).toString()).toBe('from=12.4&to=15&above=80&below=1200')
  expect(readRowBox(rowBoxParams(box))).toEqual(box)
  expect(readRowBox(new URLSearchParams('table=heat&from=&to='))).toBeNull()
  expect(plain(rowBoxWords(box))).toBe('12.4–15 s, 80 ms–1.2 s')
  expect(plain(rowBoxWords({ ...planted, toMs: 725_000 }))).toBe('12 s–12 min 5 s, 100–400 ms')
  expect(plain(rowBoxWords({ ...open, aboveMs: 0.25, fromMs: 180_000 }))).toBe('from 3 min, from 0.25 ms')
  for (const wrong of ['from=2&to=1', 'above=5&below=5', 'to=0', 'from=-1', 'from=x', 'to=1e13'])
    expect(() => readRowBox(new URLSearchParams(wrong)), wrong).toThrow()
})
