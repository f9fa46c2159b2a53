import { beforeAll, describe, expect, it } from 'vitest'
import { InvalidInputError } from '@/lib/errors'
import { statesByUrgency } from '@/lib/run/judged-states'
import { sortedMetrics } from '@/lib/run/metrics'
import { runSortKeys, type RunFilter, type RunSortKey } from '@/lib/history/run-list'
import type { RunRow } from '@/lib/history/stored-runs'
import { localViewer } from '@/lib/viewer'
import { database } from '@/prisma/db'
import { deleteRun, getRunRows, listRuns } from '@/prisma/queries/runs/runs'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnEngines } from '../engines'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun, toEdit, toRead } from '../samples'

function figureOf(run: RunRow, sort: RunSortKey): number | null {
  if (sort === 'time') return Date.parse(run.orderedAt)
  if (sort === 'state') return run.judged === null ? null : -statesByUrgency.indexOf(run.judged.state)
  return sortedMetrics.find((metric) => metric.sortKey === sort)?.read(run.figures) ?? null
}

/** The expected order: by figure, ties by id (for a state by time) in the same direction, runs without it last. */
function sorted(runs: readonly RunRow[], sort: RunSortKey, direction: 'asc' | 'desc'): string[] {
  const sign = direction === 'asc' ? 1 : -1
  const apart = (a: RunRow, b: RunRow) => (sort === 'state' ? Date.parse(a.orderedAt) - Date.parse(b.orderedAt) : 0)
  const byId = (a: RunRow, b: RunRow) => sign * (apart(a, b) || (a.id < b.id ? -1 : 1))
  const order = (a: RunRow, b: RunRow) => {
    const [x, y] = [figureOf(a, sort), figureOf(b, sort)]
    if (x === null || y === null) return x === y ? byId(a, b) : x === null ? 1 : -1
    return sign * (x - y) || byId(a, b)
  }
  return [...runs].sort(order).map((run) => run.id)
}

describeOnEngines('paging', (once) => {
  let projectId = ''
  let runs: readonly RunRow[] = []

  beforeAll(async () => {
    projectId = (await sampleProject()).id
    // Few distinct values (ties), every seventh without latencies, every fifth without a rate, every third without a
    // date.
    const file = sampleFile(
      Array.from({ length: 500 }, (_, at) =>
        sampleRun({
          tool: at % 2 === 0 ? 'hey' : 'vegeta',
          startedAt: at % 3 === 0 ? null : new Date(Date.UTC(2024, 0, 1 + (at % 11), 0, 0, 0, at % 4)).toISOString(),
          requests: at % 6 === 0 ? null : 1000,
          successes: 1000 - (at % 9),
          requestsPerSecond: at % 5 === 0 ? null : ((at * 7) % 13) / 3,
          latencies:
            at % 7 === 0
              ? []
              : [
                  sampleLatency({
                    maxMs: at % 4 === 0 ? null : at % 17,
                    quantiles: [
                      { q: 0.5, ms: (at % 10) / 10 },
                      { q: 0.99, ms: 0.1 + 0.2 + (at % 3) },
                      ...(at % 3 === 0 ? [{ q: 0.999, ms: 3 + (at % 8) }] : []),
                    ],
                  }),
                ],
          proposal: {
            scenario: `S${at % 2}`,
            labels: { commit: `c${at % 4}`, batch: `batch${at % 24}x`, ['50%_off']: at % 2 ? 'yes' : 'no' },
          },
        }),
      ),
    )
    await saveImport(localViewer, sampleImport((await sampleProject()).id, file)) // another project's, to be excluded
    const saved = (await saveImport(localViewer, sampleImport(projectId, file))).runs
    for (const run of saved.slice(490)) await deleteRun(await toEdit(projectId), run.id)
    // Every ninth is not judged; one state has no latencies.
    const stateOf = (at: number) => (at % 7 === 0 ? 'invalid' : (statesByUrgency[at % 9] ?? null))
    for (const state of statesByUrgency) {
      const id = { in: saved.flatMap((run, at) => (stateOf(at) === state ? run.id : [])) }
      await database().run.updateMany({ where: { id }, data: { judgedState: state, judgedSentence: '' } })
    }
    runs = await getRunRows(
      await toRead(projectId),
      saved.slice(0, 490).map((run) => run.id),
    )
  })

  const walk = async (filter: RunFilter, sort: RunSortKey, direction: 'asc' | 'desc', limit: number) => {
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const page = await listRuns(await toRead(projectId), filter, { sort, direction, limit, cursor })
      expect(page.rows.length).toBeGreaterThan(0)
      ids.push(...page.rows.map((row) => row.id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    return ids
  }

  // No other engine sorts otherwise: a number and a text, each in one direction.
  const isOnBoth = (sort: RunSortKey, direction: 'asc' | 'desc') =>
    (sort === 'p99' && direction === 'asc') || (sort === 'state' && direction === 'desc')
  for (const sort of runSortKeys) {
    for (const direction of ['asc', 'desc'] as const) {
      const test = isOnBoth(sort, direction) ? it : once
      test(`gives each run once in the plain order, by ${sort} ${direction}`, async () => {
        expect(await walk({}, sort, direction, 37)).toEqual(sorted(runs, sort, direction))
        const some = runs.filter((run) => run.tool === 'hey' && run.labels.commit === 'c2')
        expect(await walk({ tool: 'hey', labels: { commit: 'c2' } }, sort, direction, 9)).toEqual(
          sorted(some, sort, direction),
        )
      })
    }
  }

  // Few enough to be found and sorted, instead of walking an index.
  for (const sort of runSortKeys) {
    once(`gives the runs of a rare label or word once in the plain order, by ${sort}`, async () => {
      const some = runs.filter((run) => run.labels['batch'] === 'batch7x')
      expect(some.some((run) => run.figures.p99Ms === null)).toBe(true)
      for (const direction of ['asc', 'desc'] as const) {
        expect(await walk({ labels: { batch: 'batch7x' } }, sort, direction, 3)).toEqual(sorted(some, sort, direction))
        expect(await walk({ text: 'batch7x' }, sort, direction, 3)).toEqual(sorted(some, sort, direction))
      }
    })
  }

  it('gives the runs of one state once in the plain order, even if none has the figure', async () => {
    for (const state of statesByUrgency) {
      const some = runs.filter((run) => run.judged?.state === state)
      expect(some.length).toBeGreaterThan(20)
      for (const [sort, direction] of [
        ['p99', 'asc'],
        ['p99', 'desc'],
        ['state', 'desc'],
        ['rps', 'desc'],
      ] as const) {
        expect(await walk({ state }, sort, direction, 19)).toEqual(sorted(some, sort, direction))
      }
      const ofScenario = some.filter((run) => run.scenario === 'S1')
      expect(await walk({ state, scenario: 'S1' }, 'time', 'desc', 7)).toEqual(sorted(ofScenario, 'time', 'desc'))
    }
    const rare = runs.filter((run) => run.labels['batch'] === 'batch7x' && run.judged?.state === 'invalid')
    expect(await walk({ state: 'invalid', labels: { batch: 'batch7x' } }, 'state', 'asc', 2)).toEqual(
      sorted(rare, 'state', 'asc'),
    )
  })

  once('ends exactly at the last row, wherever a page ends', async () => {
    const without = runs.filter((run) => run.figures.requestsPerSecond === null).length
    for (const limit of [490 - without, 98, 70, 49]) {
      if (limit <= 200) expect(await walk({}, 'rps', 'desc', limit)).toEqual(sorted(runs, 'rps', 'desc'))
    }
    const all = await listRuns(
      await toRead(projectId),
      { scenario: 'S1', labels: { commit: 'c1' } },
      {
        sort: 'time',
        direction: 'asc',
        limit: 123,
      },
    )
    expect(all.rows).toHaveLength(123)
    expect(all.nextCursor).toBeNull()
  })

  it('continues at its position when runs are added and removed in between', async () => {
    const order = sorted(runs, 'p50', 'asc')
    const first = await listRuns(await toRead(projectId), {}, { sort: 'p50', direction: 'asc', limit: 20 })
    const cursor = first.nextCursor ?? ''
    await saveImport(
      localViewer,
      sampleImport(
        projectId,
        sampleFile([sampleRun({ latencies: [sampleLatency({ quantiles: [{ q: 0.5, ms: 0 }] })] })]),
      ),
    ).then(async ({ runs: [early] }) => early && deleteRun(await toEdit(projectId), early.id))
    const second = await listRuns(await toRead(projectId), {}, { sort: 'p50', direction: 'asc', limit: 20, cursor })
    expect([...first.rows, ...second.rows].map((run) => run.id)).toEqual(order.slice(0, 40))
  })

  describe('cursors', () => {
    it('from elsewhere are refused', async () => {
      const page = await listRuns(await toRead(projectId), {}, { sort: 'p99', direction: 'asc', limit: 5 })
      const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const id = runs[0]?.id
      const bad = [
        '',
        'x',
        '…',
        page.nextCursor?.slice(1),
        `${page.nextCursor}x`.slice(3),
        encode(null),
        encode([]),
        encode(['p99', 'asc', 'x', id]),
        encode(['p99', 'asc', 1, "'; drop table run"]),
        encode(['p99', 'asc', '2024-01-01T00:00:00Z', id]),
        encode(['time', 'asc', 1, id]),
        encode(['p99', 'desc', 1, id]),
        encode(['p99', 'asc', { state: 'worse', at: '2024-01-01T00:00:00Z' }, id]),
      ]
      for (const cursor of bad) {
        await expect(
          listRuns(await toRead(projectId), {}, { sort: 'p99', direction: 'asc', limit: 5, cursor }),
        ).rejects.toThrow(InvalidInputError)
      }
      const other = { sort: 'p50', direction: 'asc', limit: 5, cursor: page.nextCursor ?? '' } as const
      await expect(listRuns(await toRead(projectId), {}, other)).rejects.toThrow(InvalidInputError)
    })

    it('with unknown states are refused', async () => {
      const byState = { sort: 'state', direction: 'asc', limit: 5 } as const
      for (const value of ['worse', { state: 'odd', at: '2024-01-01T00:00:00Z' }, { state: null, at: 'x' }, null]) {
        const cursor = Buffer.from(JSON.stringify(['state', 'asc', value, runs[0]?.id])).toString('base64url')
        await expect(listRuns(await toRead(projectId), {}, { ...byState, cursor })).rejects.toThrow(InvalidInputError)
      }
    })

    it('and limits out of bounds too', async () => {
      for (const limit of [0, 201, 1.5, NaN]) {
        await expect(listRuns(await toRead(projectId), {}, { sort: 'time', direction: 'asc', limit })).rejects.toThrow(
          InvalidInputError,
        )
      }
    })
  })

  it('takes filters literally, never as patterns', async () => {
    const count = async (filter: RunFilter) =>
      (await listRuns(await toRead(projectId), filter, { sort: 'time', direction: 'asc', limit: 200 })).rows.length
    expect(await count({ text: '50%_off=yes C1' })).toBe(123)
    expect(await count({ text: '50_off' })).toBe(0)
    expect(await count({ text: '5%off' })).toBe(0)
    expect(await count({ text: '\\' })).toBe(0)
    expect(await count({ text: 'a\u0000b' })).toBe(0)
    expect(await count({ scenario: 's0\u0000' })).toBe(0)
    expect(await count({ scenario: "S0' OR 1=1" })).toBe(0)
    expect(await count({ text: '', scenario: '', labels: {}, runIds: [] })).toBe(200)
    expect(await count({ runIds: [runs[3]?.id ?? '', runs[4]?.id ?? '', 'nonsense'] })).toBe(2)
    expect(await count({ runIds: ['nonsense'] })).toBe(0)
    expect(await count({ uploadId: 'nonsense' })).toBe(0)
    expect(await count({ text: 'bench.txt VEGETA s1' })).toBe(200)
  })
})
