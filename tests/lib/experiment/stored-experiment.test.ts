import { describe, expect, it } from 'vitest'
import { orderOf } from '@/lib/experiment/order'
import { progressWords } from '@/lib/experiment/running-words'
import { progressOf, type ArmRun, type StoredExperiment } from '@/lib/experiment/stored-experiment'
import { runsOf } from '../../read-fixture'
import { heyText } from '../../server/feed-series'

const startMs = Date.parse('2026-11-22T14:00:00.000Z')

const planned = (more: Partial<StoredExperiment> = {}): StoredExperiment => ({
  ...{ id: 'e', number: 1, question: 'Is it faster?', base: 'a', head: 'b', hasControl: false, metricId: 'mean' },
  ...{ smallestRatio: 0.05, maxRounds: 12, seed: 's', createdAt: new Date(startMs).toISOString(), stoppedAt: null },
  places: [],
  ...more,
})

/** So many rounds of what hey prints. */
async function roundsOf(count: number, print: (arm: string, round: number) => string): Promise<readonly ArmRun[]> {
  const runs: ArmRun[] = []
  for (let round = 1; round <= count; round += 1)
    for (const arm of ['base', 'head']) {
      const [imported] = await runsOf({ text: print(arm, round) })
      runs.push({ id: `${arm}${round}`, round, arm, imported: imported ?? expect.fail('no run') })
    }
  return runs
}

/** A little noise, the same each time. */
const noisy = (value: number, arm: string, round: number) =>
  value * (1 + 0.01 * Math.sin(round * 2.4 + (arm === 'head' ? 1 : 0)))

describe('an experiment on a server', () => {
  it('knows the steps in which values are printed: equal ones within them are not the same', async () => {
    // 0.0040 s each time, which hides changes of 2.5 %.
    const runs = await roundsOf(12, () => heyText(0.4))
    const { standing } = progressOf(planned({ smallestRatio: 0.01 }), runs, startMs)
    expect(standing.grainRatio).toBeCloseTo(1 / 40)
    expect(standing).not.toMatchObject({ verdict: 'same' })
  })

  it('is failing if head fails its requests and base does not', async () => {
    const runs = await roundsOf(3, (arm, round) => {
      const text = heyText(noisy(100, arm, round))
      return arm === 'head' ? text.replace('[200]', '[500]') : text
    })
    const progress = progressOf(planned(), runs, startMs)
    expect(progress).toMatchObject({ state: 'stopped', isFailing: true })
    expect(progressWords(progress)).toMatchObject({ word: 'failing' })
    const both = await roundsOf(3, (arm, round) => heyText(noisy(100, arm, round)).replace('[200]', '[500]'))
    expect(progressOf(planned(), both, startMs).isFailing).toBe(
      [1, 2, 3].every((_, at) => orderOf(['base', 'head'], 's', at)[0] === 'head'),
    )
  })

  it('says how a better head does less', async () => {
    const print = (size: number) => (arm: string, round: number) => {
      const text = heyText(noisy(arm === 'head' ? 70 : 100, arm, round))
      return arm === 'head' ? text.replaceAll('1024', String(size)).replace(/Total data:.*/, totalOf(text, size)) : text
    }
    const totalOf = (text: string, size: number) => {
      const bytes = Number(/Total data:\t(\d+)/.exec(text)?.[1])
      return `Total data:\t${(bytes / 1024) * size} bytes`
    }
    const less = progressOf(planned(), await roundsOf(12, print(512)), startMs)
    expect(less).toMatchObject({ state: 'decided', doesLess: 'fewer-bytes' })
    expect(progressWords(less).notes).toContain('Head does less: fewer bytes per response than base')
    expect(progressOf(planned(), await roundsOf(12, print(1024)), startMs).doesLess).toBeNull()
  })

  it('says how long the rounds that it saved would have taken', async () => {
    const places = Array.from({ length: 6 }, (_, at) => ({
      ...{ round: at + 1, arm: 'base', voidReason: null },
      givenAt: new Date(startMs + at * 600_000).toISOString(),
    }))
    const runs = await roundsOf(12, (arm, round) => heyText(noisy(arm === 'head' ? 130 : 100, arm, round)))
    const progress = progressOf(planned({ places }), runs, startMs)
    expect(progress.roundMs).toBe(600_000)
    const [spent] = progressWords(progress).notes
    expect(spent?.replaceAll('\u00a0', ' ')).toBe('6 of at most 12 rounds: 12 runs and about 60 min saved')
  })
})
