import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { importFile } from '@/importers'
import { requestedLoadOf } from '@/lib/judge/requested-load'
import { guardSentence } from '@/lib/judge/guard-words'
import { guardsOf } from '@/lib/judge/guards'
import { guardKinds, type GuardCode } from '@/lib/run/guard'
import type { ImportedRun } from '@/lib/run/run'

const fixture = (name: string) => readFileSync(path.join(import.meta.dirname, '../../fixtures', name), 'utf8')

async function runsOf(text: string): Promise<readonly ImportedRun[]> {
  async function* bytes() {
    yield await Promise.resolve(new TextEncoder().encode(text))
  }
  return (await importFile(bytes())).runs
}

/** The first run of a fixture below a command, as in a document. */
async function runBelow(command: string, name: string): Promise<ImportedRun> {
  const [run] = await runsOf(`    $ ${command}\n\n${fixture(name)}`)
  if (!run) throw new Error(`${name} has no run`)
  return run
}

const nothing = {
  ratePerSecond: null,
  durationMs: null,
  requests: null,
  connections: null,
  contentLengthBytes: null,
  expectedCodes: [],
}

/** Replaces narrow and no-break spaces with plain ones. */
const plainSpaces = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')
const sentencesOf = (run: ImportedRun, q = 0.5) =>
  guardsOf(run, requestedLoadOf(run), q).map((guard) => plainSpaces(guardSentence(guard)))

describe('requestedLoadOf', () => {
  it("reads the load from hey's command", async () => {
    const below = async (command: string) => requestedLoadOf(await runBelow(command, 'hey-text/ten-thousand.txt'))
    expect(await below('hey -n 2000 -c 20 http://127.0.0.1/')).toEqual({ ...nothing, requests: 2_000, connections: 20 })
    // 50 workers by default.
    expect(await below('hey -z 30s http://127.0.0.1/')).toEqual({ ...nothing, durationMs: 30_000, connections: 50 })
    expect(await below('hey -z 1m -c 8 -q 25 http://127.0.0.1/')).toEqual({
      ...nothing,
      durationMs: 60_000,
      connections: 8,
      ratePerSecond: 200,
    })
    // The workers are unknown, and so is the number that the requests round down to.
    expect(await below('hey -n 1000 -c $WORKERS http://127.0.0.1/')).toEqual(nothing)
  })

  it("reads the load from vegeta's command; idle connections limit nothing", async () => {
    const below = async (command: string) =>
      requestedLoadOf(await runBelow(command, 'vegeta-text/attack-01-12.13.0.txt'))
    expect(
      await below("echo 'GET http://127.0.0.1/' | vegeta attack -rate=50/1s -duration=10s -connections 10"),
    ).toEqual({
      ...nothing,
      ratePerSecond: 50,
      durationMs: 10_000,
    })
    const limited = await below('vegeta attack -rate 6000/m -duration 1m -max-workers=25 -max-connections 40')
    expect(limited).toEqual({ ...nothing, ratePerSecond: 100, durationMs: 60_000, connections: 25 })
    expect(await below('vegeta attack -rate 0 -max-workers 8')).toEqual({ ...nothing, connections: 8 })
  })

  it("allows for the rounding of wrk's printed plan, unless the command is known", async () => {
    const minutes = fixture('wrk-text/latency.txt').replace(/Running \S+ test/, 'Running 1m test')
    const [bare] = await runsOf(minutes)
    expect(bare && requestedLoadOf(bare)).toMatchObject({ durationMs: 51_000, ratePerSecond: null })
    const [twice] = await runsOf(minutes.replace('Running 1m', 'Running 2m'))
    expect(twice && requestedLoadOf(twice).durationMs).toBe(90_000)
    for (const [option, durationMs] of [
      ['-d80s', 80_000],
      ['-d 75', 75_000],
      ['--duration 1m', 60_000],
    ] as const) {
      const url = /@ (\S+)/.exec(minutes)?.[1] ?? ''
      const [run] = await runsOf(`    $ wrk -t2 -c16 ${option} ${url}\n\n${minutes}`)
      expect(run && requestedLoadOf(run).durationMs).toBe(durationMs)
    }
  })

  it('is empty for results without a command', async () => {
    const [run] = await runsOf(fixture('vegeta-csv/three-targets-by-latency.csv'))
    expect(run && requestedLoadOf(run)).toEqual(nothing)
  })
})

describe('guardsOf', () => {
  it('refuses an interrupted wrk, by its own plan', async () => {
    const [run] = await runsOf(fixture('wrk-text/interrupted.txt'))
    expect(run && sentencesOf(run)).toEqual(['Ended early: the command asked for 30 s, the run lasted 2.50 s'])
  })

  it('refuses an interrupted hey, by its command', async () => {
    const run = await runBelow('hey -z 30s -c 5 http://127.0.0.1/', 'hey-text/duration-and-interrupt.txt')
    expect(sentencesOf(run)).toEqual(['Ended early: the command asked for 30 s, the run lasted 2.51 s'])
    const whole = await runBelow('hey -n 10000 -c 50 http://127.0.0.1/', 'hey-text/ten-thousand.txt')
    expect(sentencesOf({ ...whole, durationMs: 10_000 })).toEqual([])
    // Computed from a rate.
    expect(sentencesOf({ ...whole, durationMs: 10_000, requests: 10_000.03 })).toEqual([])
    const other = await runBelow('hey -n 12000 -c 50 http://127.0.0.1/', 'hey-text/ten-thousand.txt')
    expect(sentencesOf({ ...other, durationMs: 10_000 })).toEqual([
      'Requests off: the command asked for 12 000, the run has 10 000',
    ])
  })

  it('accepts complete runs of each tool', async () => {
    for (const name of [
      'wrk-text/latency.txt',
      'vegeta-text/attack-01-12.13.0.txt',
      'documents/lambda-dispatcher-vs-direct.md',
    ]) {
      for (const run of await runsOf(fixture(name))) expect(sentencesOf(run)).toEqual([])
    }
  })
})

describe('guardSentence', () => {
  const said: Readonly<Record<GuardCode, readonly [numbers: Readonly<Record<string, number>>, sentence: string][]>> = {
    'cut-short': [
      [{ durationMs: 31_000, wantedMs: 60_000 }, 'Ended early: the command asked for 60 s, the run lasted 31.0 s'],
      [
        { durationMs: 131_000, wantedMs: 600_000 },
        'Ended early: the command asked for 10 min, the run lasted 2 min 11 s',
      ],
      [{}, 'Ended early: the run was truncated'],
    ],
    'requests-off': [
      [{ requests: 9_312, wanted: 20_000 }, 'Requests off: the command asked for 20 000, the run has 9 312'],
      [
        { answers: 554, wanted: 600 },
        'Requests off: the command asked for 600, 554 responses are listed; the others failed or were never sent',
      ],
    ],
    'clock-jump': [
      [{ stepBackMs: 2_495 }, 'Clock moved: a request began 2.50 s before an earlier one'],
      [
        { belowZero: 1, gapMs: 90_005, usualMs: 5 },
        'Clock moved: 1 time is below zero; no request began for 1 min 30 s',
      ],
      [{ maxMs: 7_200_000 }, 'Clock moved: a response took 2 h 0 min'],
      [{ shortestMs: -1_000 }, 'Clock moved: the run ends 1.00 s before it starts'],
      [{}, 'Clock moved: its times contradict each other'],
    ],
    'too-short': [[{ durationMs: 250 }, 'Too short to judge: 250 ms. Run for 10 s or more, or count it all the same']],
    'zero-success': [[{ attempts: 24_000 }, 'Nothing succeeded: all 24 000 requests failed']],
    errors: [
      [
        { failed: 3_010, attempts: 21_000, failedRatio: 3_010 / 21_000 },
        'Failures: 3 010 of 21 000 requests failed (14.33 %)',
      ],
    ],
    'timeout-truncated': [
      [
        { timeouts: 116, attempts: 900 },
        'Cut by timeouts: 116 of 900 requests timed out, so the highest latencies are unknown',
      ],
    ],
    'rate-missed': [
      [{ ratePerSecond: 812.4, wantedPerSecond: 1_000 }, 'Rate missed: 812 of 1 000 requests/s offered'],
      [{ ratePerSecond: 1_100, wantedPerSecond: 1_000 }, 'Rate missed: 1 100 requests/s offered, 1 000 asked for'],
    ],
    'client-saturated': [
      [
        { busy: 9.75, connections: 10 },
        'Client saturated: 9.75 of 10 connections were busy on average, so requests waited for one',
      ],
      [
        { busy: 31, connections: 10 },
        'Client saturated: all connections were busy on average, so requests waited for one',
      ],
    ],
    'payload-changed': [
      [
        { firstBytes: 1_000, lastBytes: 400 },
        'Responses changed: median 1.00 kB in the first third of the run, 400 B in the last',
      ],
      [{ bytesPerAnswer: 512, contentLengthBytes: 1_024 }, 'Responses changed: 512 B each, 1.02 kB expected'],
      [{}, 'Responses changed: they had another size at the end of the run'],
    ],
    'few-for-tail': [
      [{ successes: 60, needed: 1_000 }, 'Too few for this tail: 60 requests succeeded, 1 000 are needed'],
    ],
    'sample-cap': [
      [{ requests: 1_200_000 }, 'Sample cap: hey recorded the first 1 000 000 of 1 200 000 responses'],
      [{}, 'Sample cap: hey records the first 1 000 000 responses only'],
    ],
  }

  it.each(Object.keys(guardKinds).filter((code): code is GuardCode => Object.hasOwn(guardKinds, code)))(
    'describes what %s found',
    (code) => {
      for (const [numbers, sentence] of said[code]) expect(plainSpaces(guardSentence({ code, numbers }))).toBe(sentence)
    },
  )
})
