import { describe, expect, it } from 'vitest'
import { instrumentOf, type InstrumentRuns } from '@/lib/instrument/instrument'
import { instrumentWords, shownWords } from '@/lib/instrument/instrument-words'
import { orderOf } from '@/lib/experiment/order'
import type { SeriesHistory, SeriesPoint } from '@/lib/history/stored-series'
import { profileOf } from '../detect/sample-profile'
import { SimulatedMachine } from '../experiment/simulated-machine'

const nowMs = Date.UTC(2026, 2, 1)
const [sample] = profileOf([100]).points
const plain = (text: string) => text.replaceAll('\u00a0', ' ')

function pointOf(id: string, ms: number, minutes: number, labels: Readonly<Record<string, string>>): SeriesPoint {
  if (sample === undefined) throw new Error('no sample')
  const orderedAt = new Date(Date.UTC(2026, 1, 1) + minutes * 60_000).toISOString()
  return { ...sample, runId: id, uploadId: id, orderedAt, labels, figures: { ...sample.figures, p99Ms: ms } }
}

/** Experiments of 10 rounds whose runs scatter by 2 %. */
function controlsOf(count: number, { place = 0, control = 0 } = {}): readonly SeriesPoint[] {
  const machine = new SimulatedMachine({ seed: 11, noise: 'normal', deviation: 0.02, places: [place] })
  const points: SeriesPoint[] = []
  for (let experiment = 0; experiment < count; experiment += 1)
    for (let round = 0; round < 10; round += 1) {
      const order = orderOf(['base', 'control'], `${experiment}`, round)
      const measured = machine.round(order, { control })
      for (const arm of order)
        points.push(
          pointOf(`${experiment} ${round} ${arm}`, measured?.values[arm] ?? 0, points.length, {
            ...{ arm, experiment: `e${experiment}`, round: String(round + 1) },
          }),
        )
    }
  return points
}

const runsOf = (controls: readonly SeriesPoint[], histories: readonly SeriesHistory[] = []): InstrumentRuns => ({
  ...{ environment: 'm7i.large', controls, deciding: new Map([['e0', 'p99']]), histories },
})
const historyOf = (points: readonly SeriesPoint[]): SeriesHistory => ({
  ...{ id: 's', projectId: 'p', projectSlug: 'demo', scenario: 'S', variant: null, environment: 'm7i.large', points },
})
/** Nights with four runs of one commit each; the first of a commit is far off. */
const nightsOf = (count: number, gapMinutes: number): readonly SeriesPoint[] => {
  const machine = new SimulatedMachine({ seed: 9, noise: 'normal', deviation: 0.02 })
  return Array.from({ length: count * 5 }, (_, at) => {
    const value = machine.round(['base'], {})?.values['base'] ?? 0
    const [night, of] = [Math.floor(at / 5), at % 5]
    return pointOf(`r${at}`, of === 0 ? value * 2 : value, night * 1440 + of * gapMinutes, { commit: `c${night}` })
  })
}

describe('an instrument', () => {
  it('is certified by eight experiments of base against itself', () => {
    const few = instrumentOf(runsOf(controlsOf(7)))
    expect([few.isCertified, few.falseAlarms.total]).toEqual([false, 7])
    expect(instrumentWords(few, nowMs)).toMatchObject({
      word: 'not certified',
      sentence: 'Not certified yet: 7 of 8 experiments on identical code',
    })
    const enough = instrumentOf(runsOf(controlsOf(12, { place: 0.05 })))
    expect(enough).toMatchObject({ isCertified: true, controls: 12, repeats: 0 })
    const [p99] = enough.metrics.filter(({ metric }) => metric.id === 'p99')
    // Two runs of 2 % each.
    expect(p99?.deviation).toBeGreaterThan(0.023)
    expect(p99?.deviation).toBeLessThan(0.034)
    expect(p99?.place).toMatchObject({ isNamed: true, effectRatio: expect.closeTo(Math.expm1(0.05), 1) as number })
    const shown = p99?.visible.map(({ ratio }) => ratio) ?? []
    expect(shown).toEqual(shown.toSorted((a, b) => b - a))
    const { word, sentence, notes } = instrumentWords(enough, nowMs)
    expect(word).toBe('certified')
    expect(plain(sentence)).toMatch(
      /^Certified: (none|1|2) of 12 experiments on identical code (was|were) called different/,
    )
    expect(plain(notes[0] ?? '')).toMatch(
      /^What runs second differs by \+[45](\.\d)? % in p99 .*: a fixed order is wrong/,
    )
    expect(plain(p99 ? shownWords(p99) : '')).toMatch(/^p99: [\d.]+ % in 8 rounds, [\d.]+ % in 12, [\d.]+ % in 24$/)
  })

  it('is unfit where a control differs from its base, and says when it was last certified', () => {
    const unfit = instrumentWords(instrumentOf(runsOf(controlsOf(12, { control: 0.06 }))), nowMs + 60 * 86_400_000)
    expect(unfit.word).toBe('unfit')
    expect(plain(unfit.sentence)).toMatch(/^Unfit: 12 of 12 .*, more than the 5 % that is promised$/)
    expect(unfit.notes.at(-1)).toBe('Last certified 1 Feb 2026')
  })

  it('counts repeats of one commit within an hour, less the first, and claims no place from them', () => {
    const near = instrumentOf(runsOf([], [historyOf(nightsOf(60, 5))]))
    expect(near).toMatchObject({ controls: 0, isCertified: true })
    expect(near.falseAlarms.count).toBeLessThan(4)
    expect(near.metrics.map(({ place }) => place)).toEqual(near.metrics.map(() => null))
    expect(near.metrics[0]?.deviation).toBeLessThan(0.034)
    expect(instrumentWords(near, nowMs).notes).toContain(
      'By 10 sets of repeats; their order was not drawn, so nothing is said about places',
    )
    expect(instrumentOf(runsOf([], [historyOf(nightsOf(60, 90))])).repeats).toBe(0)
    expect(instrumentOf(runsOf([]))).toMatchObject({ newestAt: null, metrics: [], isCertified: false })
  })
})
