import { describe, expect, it } from 'vitest'
import { prepareCourse } from '@/components/charts/experiment/course'
import { prepareInterval } from '@/components/charts/experiment/interval'
import { preparePairs } from '@/components/charts/experiment/pairs'
import { panelMarkup } from '@/components/charts/plot/drawing'
import { headingAt, readPanel } from '@/components/charts/plot/readings'
import { courseOf } from '@/lib/experiment/course'
import { intervalWords } from '@/lib/experiment/experiment-words'
import { findMetric } from '@/lib/run/metrics'
import { planOf, playExperiment } from '../../lib/experiment/played'

const metric = findMetric('p99') ?? expect.fail('no p99')
const plan = planOf({ arms: ['base', 'head', 'control'] })
const ended = playExperiment(plan, { noise: 'normal', deviation: 0.015, seed: 3 }, { head: 0.1 })
const course = courseOf(plan, ended.finished)
const input = {
  ...{ course, metricName: 'p99', lowerIsBetter: true, smallestRatio: plan.smallestRatio, maxRounds: plan.maxRounds },
  state: 'worse' as const,
}

describe('the interval by round', () => {
  const prepared = prepareCourse(input) ?? expect.fail('nothing to plot')
  const { plot } = prepared
  const [panel = expect.fail('no panel')] = plot.panels

  it('reads the interval that decided at the round that ended it', () => {
    const { effect, rounds } = ended
    const said = readPanel(plot, panel, rounds).map(({ name, text }) => `${name} ${text}`)
    expect(said.some((one) => one.endsWith(`(${intervalWords(effect ?? expect.fail('no effect'))})`))).toBe(true)
    expect(headingAt(plot, rounds)).toBe(`After round ${rounds}: evaluated`)
    expect(headingAt(plot, rounds - 1)).toBe(`After round ${rounds - 1}`)
  })

  it('has a region for worse above, and for better below', () => {
    const band = (id: string) => {
      const series = plot.series.findIndex((one) => one.id === id)
      const mark = panel.marks.find((one) => one.kind === 'band' && one.series === series)
      return mark?.kind === 'band' ? mark : expect.fail(`no ${id}`)
    }
    expect(Math.min(...band('worse').low)).toBeGreaterThan(0)
    expect(Math.max(...band('better').high)).toBeLessThan(0)
    const turned = prepareCourse({ ...input, lowerIsBetter: false })?.plot ?? expect.fail('nothing to plot')
    expect(turned.panels[0]?.marks.find((one) => one.kind === 'band')).toMatchObject({ high: band('better').high })
  })

  it('has a table of the rounds, and of the evaluations to come', () => {
    const { rows } = prepared.table()
    expect(rows.filter(([round]) => /^\d+$/.test(round ?? ''))).toHaveLength(ended.rounds)
    expect(rows.at(-1)?.[0]).toBe('24, to come')
    expect(String(panelMarkup(plot, panel))).not.toMatch(/NaN|undefined|Infinity/)
  })

  it('is not drawn before there is an estimate', () => {
    expect(prepareCourse({ ...input, course: courseOf(plan, ended.finished.slice(0, 1)) })).toBeNull()
  })
})

describe('the runs of each round', () => {
  it('lie in the order in which they ran', () => {
    const rounds = ended.finished.flatMap((round) => (round.kind === 'valid' ? [round] : []))
    const { plot, table } = preparePairs(rounds, plan.arms, metric) ?? expect.fail('nothing to plot')
    const [panel = expect.fail('no panel')] = plot.panels
    expect(plot.places).toHaveLength(3 * rounds.length)
    expect(plot.places).toEqual([...plot.places].sort((a, b) => a - b))
    rounds.forEach(({ order }, at) => {
      const names = plot.places.slice(3 * at, 3 * at + 3).map((x) => readPanel(plot, panel, x)[0]?.name)
      expect(names).toEqual(order)
    })
    expect(table().rows[0]?.[1]).toBe(rounds[0]?.order.join(', '))
    expect(String(panelMarkup(plot, panel))).not.toMatch(/NaN|undefined|Infinity/)
    expect(preparePairs([], plan.arms, metric)).toBeNull()
  })
})

describe('an interval beside what matters', () => {
  it('is in the zone where it is smaller, and open where it leaves the axis', () => {
    const inside = prepareInterval({ effectRatio: 0.01, low: -0.01, high: 0.03 }, 0.05)
    const [zone, mark] = [inside.zone ?? expect.fail('no zone'), inside.mark ?? expect.fail('no mark')]
    expect([zone.left, mark.from, mark.at, mark.to, zone.right].map(Number)).toEqual(
      [zone.left, mark.from, mark.at, mark.to, zone.right].map(Number).sort((a, b) => a - b),
    )
    expect(mark.isOpen).toEqual([false, false])
    const far = prepareInterval({ effectRatio: -0.3, low: -0.4, high: -0.02 }, 0.05).mark
    expect(far).toMatchObject({ beyond: 'left', isOpen: [true, false] })
  })
})
