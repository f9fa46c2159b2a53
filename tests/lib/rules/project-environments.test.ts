import { describe, expect, it } from 'vitest'
import { attributesOf, machineLabels } from '@/lib/environment/attributes'
import { fasterShifts, type MovedSeries } from '@/lib/rules/project-environments'
import type { EnvironmentEvent } from '@/lib/rules/rule-events'
import { environmentSentence, eventWords } from '@/lib/rules/rule-words'

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const moved = (seriesId: string, since: string, factor: number): MovedSeries => {
  return { seriesId, since, factor, isControl: seriesId === 'control' }
}
const slower: EnvironmentEvent = {
  ...{ kind: 'environment', environment: 'm7i.large', factor: 2.9, leastFactor: 2.6, mostFactor: 3.2 },
  ...{ seriesIds: ['control', 'a', 'b', 'c'], hasControl: true },
  ...{ since: '2026-11-19T23:40:00.000Z', overSince: '2026-11-20T06:20:00.000Z' },
}

describe('an environment that became faster', () => {
  it('is a shift of its own, by the middle of its series', () => {
    const all = [
      moved('a', '2026-11-01T23:00:00.000Z', 0.6),
      moved('control', '2026-11-01T23:10:00.000Z', 0.5),
      moved('a', '2026-11-01T23:00:00.000Z', 0.55),
      moved('b', '2026-11-02T23:20:00.000Z', 0.52),
    ]
    const [shift, ...others] = fasterShifts('m7i.large', all, [])
    expect(others).toEqual([])
    expect(shift).toMatchObject({ factor: 0.52, leastFactor: 0.5, mostFactor: 0.55, hasControl: true, alertId: null })
    expect(shift?.factors).toEqual({ a: 0.55, control: 0.5, b: 0.52 })
    expect(plain(eventWords(shift ?? slower))).toBe('m7i.large itself became 1.9× faster')
  })

  it('is none if it only came back from a shift that an alert reports, or if one series moved', () => {
    const back = [moved('a', '2026-11-20T06:20:00.000Z', 0.34), moved('b', '2026-11-20T07:00:00.000Z', 0.35)]
    expect(fasterShifts('m7i.large', back, [slower])).toEqual([])
    expect(fasterShifts('m7i.large', back.slice(1), [])).toEqual([])
    expect(fasterShifts('m7i.large', [moved('a', slower.since, 2.9), moved('b', slower.since, 2.9)], [])).toEqual([])
  })
})

describe('what is known of an environment', () => {
  it('is one sentence: it moved, is back, or never did', () => {
    const said = (shifts: readonly EnvironmentEvent[]) => plain(environmentSentence('m7i.large', shifts))
    expect(said([slower])).toBe(
      'm7i.large is steady again; for 6 h 40 min it was 2.9× slower, and 3 series moved together',
    )
    expect(said([{ ...slower, overSince: null }])).toBe('m7i.large itself became 2.9× slower on 19 Nov 2026, 23:40')
    expect(said([{ ...slower, overSince: '2026-11-25T23:40:00.000Z' }])).toContain('for 6 days it was')
    expect(said([])).toBe('m7i.large has not moved so far')
  })

  it('is what its runs record of the machine, and the last change of that', () => {
    const run = (seriesId: string, at: string, attributes: Readonly<Record<string, string>>) => {
      return { seriesId, at: `2026-11-${at}T00:00:00.000Z`, attributes }
    }
    expect(
      attributesOf([
        run('a', '01', { kernel: '6.1.112', memory: '8 GiB' }),
        run('b', '01', { kernel: '6.1.112', tool: 'wrk' }),
        run('a', '14', { kernel: '6.1.119', tool: 'hey' }),
        run('b', '13', { kernel: '6.1.119', tool: 'wrk' }),
      ]),
    ).toEqual([
      { key: 'kernel', value: '6.1.119', change: { at: '2026-11-13T00:00:00.000Z', from: '6.1.112' } },
      { key: 'memory', value: '8 GiB', change: null },
      { key: 'tool', value: 'hey', change: null },
    ])
    expect(machineLabels({ commit: 'abc', Kernel: '6.1', branch: 'main', cpu: 'Xeon' })).toEqual({
      Kernel: '6.1',
      cpu: 'Xeon',
    })
  })
})
