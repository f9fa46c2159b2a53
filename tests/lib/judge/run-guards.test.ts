import { describe, expect, it } from 'vitest'
import { importFile } from '@/importers'
import { guardSentence } from '@/lib/judge/guard-words'
import { guardsOf } from '@/lib/judge/guards'
import { asideJudgement, firstRunJudgement, runGuards } from '@/lib/judge/run-guards'
import { sampleRun, type SampleRun } from '../../queries/samples'

const aside = (fields: SampleRun, counted: boolean | null = null) => {
  const run = sampleRun({ requests: 200, durationMs: 400, ...fields })
  const judgement = asideJudgement(run, runGuards(run), { counted })
  if (judgement === null) throw new Error('it takes no part')
  return judgement
}

describe('the first run of a series', () => {
  it('raises no alarm if it was only too short, and says what to do', () => {
    const invalid = aside({})
    expect(invalid.state).toBe('invalid')
    expect(invalid.sentence.replaceAll('\u00a0', ' ')).toBe(
      'Too short to judge: 400 ms. Run for 10 s or more, or count it all the same.',
    )
    expect(firstRunJudgement(invalid)).toEqual({ ...invalid, state: 'no-history' })
  })

  it('stays invalid if it contradicts itself, was truncated, or a person excluded it', () => {
    const jump = { code: 'clock-jump', message: '', line: null, numbers: { stepBackMs: 2_000 } }
    expect(firstRunJudgement(aside({ warnings: [jump] }))).toBeNull()
    expect(firstRunJudgement(aside({ complete: false }))).toBeNull()
    expect(firstRunJudgement(aside({}, false))).toBeNull()
    expect(firstRunJudgement({ ...aside({}), state: 'failing' })).toBeNull()
  })
})

describe('an invalid run whose requests failed', () => {
  const failing = { statusCodes: { '200': 170, '500': 30 } }

  it('is failing, and says so first', () => {
    const judgement = aside(failing)
    expect(judgement).toMatchObject({ state: 'failing', metricId: 'error-ratio' })
    expect(judgement.sentence.replaceAll('\u00a0', ' ')).toBe(
      '15 % of requests failed (30). Too short to judge: 400 ms. Run for 10 s or more, or count it all the same.',
    )
    expect(firstRunJudgement(judgement)).toBeNull()
  })

  it('keeps its other state if its output was truncated, or a person excluded it', () => {
    expect(aside({ ...failing, complete: false }).state).toBe('invalid')
    expect(aside(failing, false).state).toBe('invalid')
  })
})

describe('a CSV of hey whose requests failed', () => {
  const heading = 'response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset'
  const row = (at: number, status: number) =>
    `0.0048,0.0008,0.0000,0.0000,0.0047,0.0000,${status},${(at / 100).toFixed(4)}`

  // 200 requests: 30 got a 500, and 20 no response, which hey omits from its CSV.
  async function read() {
    const rows = Array.from({ length: 180 }, (_, at) => row(at, at % 6 === 0 ? 500 : 200))
    async function* bytes() {
      yield await Promise.resolve(new TextEncoder().encode([heading, ...rows, ''].join('\n')))
    }
    const [run] = (await importFile(bytes())).runs
    if (run === undefined) throw new Error('a run was read')
    return run
  }

  it('is refused for the failures it lists, not for its number of rows', async () => {
    const codes = runGuards(await read()).map(({ code }) => code)
    expect(codes).toContain('errors')
    expect(codes).not.toContain('requests-off')
  })

  it('says, compared with the requested load, that the others failed or were never sent', async () => {
    const asked = { ratePerSecond: null, durationMs: null, requests: 200, connections: 50, contentLengthBytes: null }
    const off = guardsOf(await read(), { ...asked, expectedCodes: [] }, 0.5).find(({ code }) => code === 'requests-off')
    expect(off && guardSentence(off)).toBe(
      'Requests off: the command asked for 200, 180 responses are listed; the others failed or were never sent',
    )
  })
})
