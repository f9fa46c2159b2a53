import { describe, expect, it } from 'vitest'
import type { ProjectAlert } from '@/lib/environment/project-alerts'
import { replayProject } from '@/lib/environment/replay-project'
import { generateProject, type ProjectPlan } from './generated-project'

const four = [{ id: 'cart' }, { id: 'search' }, { id: 'login' }, { id: 'static' }]
const withControl = [...four.slice(0, 3), { id: 'control', isControl: true }]

function replay(plan: ProjectPlan): readonly ProjectAlert[] {
  const { places, runs } = generateProject(plan)
  return replayProject(places, runs)
}
/** What is said in the end. */
const saidIn = (alerts: readonly ProjectAlert[]) =>
  alerts.map((alert) => {
    const { kind, commit, series } = alert.updates.at(-1) ?? alert
    return { kind, commit, series: Object.keys(series).sort() }
  })
const all = (plan: Pick<ProjectPlan, 'series'>) => plan.series.map(({ id }) => id).sort()

describe.each([101, 102, 103])('a project of four series, seed %i', (seed) => {
  it('says nothing when nothing happens', () => {
    expect(replay({ seed, nights: 120, series: four })).toEqual([])
  })

  it('says that the environment moved when its control moved too, and blames no commit', () => {
    const factorOf = (_id: string, night: number) => (night < 60 ? 1 : 1.5)
    const alerts = replay({ seed, nights: 90, series: withControl, factorOf })
    expect(saidIn(alerts)).toEqual([{ kind: 'environment', commit: null, series: all({ series: withControl }) }])
    const [alert] = alerts
    expect(alert?.updates.some(({ commit }) => commit !== null)).toBe(false)
    // Within three nights, each series from its first run since.
    expect(alert?.raised).toBeLessThan(63 * 4)
    for (const run of Object.values(alert?.series ?? {})) expect(Math.abs(Math.floor(run / 4) - 60)).toBeLessThan(2)
    expect(alert?.closed).toBeNull()
  })

  it('says the same when no code changed that night', () => {
    const commitOf = (_id: string, night: number) => `commit-${Math.floor(night / 10)}`
    const factorOf = (_id: string, night: number) => (night < 65 ? 1 : 1.4)
    const [said, ...others] = saidIn(replay({ seed, nights: 90, series: four, commitOf, factorOf }))
    expect(said).toMatchObject({ kind: 'environment', commit: null })
    expect(others).toEqual([])
  })

  it('closes the alert when the environment is back', () => {
    const factorOf = (_id: string, night: number) => (night < 50 || night >= 70 ? 1 : 1.6)
    const [alert, ...others] = replay({ seed, nights: 90, series: withControl, factorOf })
    expect(others).toEqual([])
    expect(alert?.closed).toBeGreaterThanOrEqual(70 * 4)
    expect(alert?.closed).toBeLessThan(78 * 4)
  })

  it('blames the commit of a series that moved alone', () => {
    const factorOf = (id: string, night: number) => (id === 'search' && night >= 60 ? 1.3 : 1)
    const alerts = replay({ seed, nights: 80, series: four, factorOf })
    expect(saidIn(alerts)).toEqual([{ kind: 'commit', commit: 'commit-60', series: ['search'] }])
    expect(alerts[0]?.raised).toBeLessThan(64 * 4)
  })

  it('says that nothing can tell when all moved with one commit and there is no control', () => {
    const factorOf = (_id: string, night: number) => (night < 60 ? 1 : 1.4)
    expect(saidIn(replay({ seed, nights: 80, series: four, factorOf }))).toEqual([
      { kind: 'commit-or-machine', commit: 'commit-60', series: all({ series: four }) },
    ])
  })

  it('blames the commit when the control stayed', () => {
    const factorOf = (id: string, night: number) => (night < 60 || id === 'control' ? 1 : 1.4)
    const [said, ...others] = saidIn(replay({ seed, nights: 80, series: withControl, factorOf }))
    expect(said).toEqual({ kind: 'commit', commit: 'commit-60', series: ['cart', 'login', 'search'] })
    expect(others).toEqual([])
  })

  it('finds a planted change after the environment moved, and does not excuse it', () => {
    const factorOf = (id: string, night: number) => (night < 40 ? 1 : 2.9) * (id === 'cart' && night >= 70 ? 1.3 : 1)
    expect(saidIn(replay({ seed, nights: 90, series: withControl, factorOf }))).toEqual([
      { kind: 'environment', commit: null, series: all({ series: withControl }) },
      { kind: 'commit', commit: 'commit-70', series: ['cart'] },
    ])
  })

  it('is silent about a blip of two runs', () => {
    const factorOf = (id: string, night: number) => (id === 'login' && (night === 60 || night === 61) ? 1.4 : 1)
    expect(replay({ seed, nights: 80, series: four, factorOf })).toEqual([])
  })

  it('tells a moving control from its environment', () => {
    const factorOf = (id: string, night: number) => (id === 'control' && night >= 60 ? 1.4 : 1)
    expect(saidIn(replay({ seed, nights: 90, series: withControl, factorOf }))).toEqual([
      { kind: 'control', commit: null, series: ['control'] },
    ])
  })

  it('does not blame a second environment for the first', () => {
    const series = [...withControl, { id: 'arm', environment: 'c8g.large' }, { id: 'arm-2', environment: 'c8g.large' }]
    const factorOf = (id: string, night: number) => (night < 60 || id.startsWith('arm') ? 1 : 1.5)
    const alerts = replay({ seed, nights: 90, series, factorOf })
    expect(alerts.map(({ kind, environment }) => [kind, environment])).toEqual([['environment', 'm7i.large']])
  })

  it('rests on the runs up to each alert only', () => {
    const factorOf = (id: string, night: number) =>
      (night < 40 || night >= 70 ? 1 : 1.7) * (id === 'cart' && night >= 55 ? 1.3 : 1)
    const { places, runs } = generateProject({ seed, nights: 90, series: withControl, factorOf })
    const whole = replayProject(places, runs)
    for (const count of [170, 230, 290, 330]) {
      const known = whole.flatMap((alert) => {
        if (alert.raised >= count) return []
        const updates = alert.updates.filter(({ run }) => run < count)
        return [{ ...alert, updates, closed: (alert.closed ?? count) < count ? alert.closed : null }]
      })
      expect(replayProject(places, runs.slice(0, count))).toEqual(known)
    }
  })
})

it('calls a creep a drift, with one alert for most and no commit in the end', () => {
  const factorOf = (id: string, night: number) => (id === 'cart' && night >= 40 ? 1.006 ** (night - 40) : 1)
  const said = Array.from({ length: 8 }, (_, at) => saidIn(replay({ seed: at, nights: 140, series: four, factorOf })))
  for (const alerts of said) expect(alerts).toContainEqual({ kind: 'drift', commit: null, series: ['cart'] })
  expect(said.flat().length / said.length).toBeLessThanOrEqual(1.3)
})

it('raises at most one false alarm in 1,000 runs of nothing', () => {
  const seeds = Array.from({ length: 8 }, (_, at) => at + 1)
  const alerts = seeds.flatMap((seed) => replay({ seed, nights: 120, series: four, deviation: 0.05 }))
  expect(alerts.length / (seeds.length * 120 * four.length)).toBeLessThanOrEqual(0.001)
})

it('refuses a run of a series that it does not know', () => {
  const run = { time: 0, series: 'x', commit: 'c', value: 1 }
  expect(() => replayProject([], [run])).toThrow('run 0: series x is unknown')
})
