import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { loadHome } from '@/app/load-home'
import { evaluateDue } from '@/app/_server/alerts/evaluate-series'
import { PastStrip } from '@/components/runs/past-strip'
import { findMetric } from '@/lib/run/metrics'
import { localViewer } from '@/lib/viewer'
import { listPasts } from '@/prisma/queries/runs/runs'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnOneEngine } from '../engines'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun, toRead } from '../samples'

const p99 = findMetric('p99')
if (p99 === null) throw new Error('a metric')

const runOn = (at: number, variant: string, ms: number) =>
  sampleRun({
    startedAt: `2025-01-${String(at).padStart(2, '0')}T00:00:00.000Z`,
    errors: [],
    requests: 20_000,
    durationMs: 60_000,
    latencies: [sampleLatency({ quantiles: [{ q: 0.99, ms }], maxMs: 3 * ms })],
    proposal: { scenario: 'GET /ping', variant },
  })

async function save(projectId: string, run: ReturnType<typeof runOn>, candidate = false) {
  const input = sampleImport(projectId, sampleFile([run]), { names: { candidate } })
  const [saved] = (await saveImport(localViewer, input)).runs
  if (saved === undefined) throw new Error('a run was saved')
  return saved
}

describeOnOneEngine('the history next to rows of a list', () => {
  it('is the series of each run up to it, with the judgement of its figures', async () => {
    const { id: projectId } = await sampleProject()
    const msOf = (at: number) => (at === 22 ? 150 : 100 + Math.sin(at * 2.4))
    const ids: string[] = []
    for (let at = 1; at <= 25; at += 1) ids.push((await save(projectId, runOn(at, 'a', msOf(at)))).id)
    const other = await save(projectId, runOn(20, 'b', 50))
    const candidate = await save(projectId, runOn(26, 'a', 101), true)
    await evaluateDue()
    const [third, odd, last] = [ids[2] ?? '', ids[21] ?? '', ids[24] ?? '']
    const pasts = await listPasts(await toRead(projectId), [third, odd, last, other.id, candidate.id, 'nonsense'], p99)

    expect([...pasts.keys()].sort()).toEqual([third, odd, last, other.id, candidate.id].sort())
    expect(pasts.get(third)?.values).toEqual([1, 2, 3].map(msOf))
    expect(pasts.get(last)?.values).toEqual(Array.from({ length: 20 }, (_, at) => msOf(at + 6)))
    // Of the newest ones, only the odd run was outside.
    expect(pasts.get(last)?.outside.flatMap((isOutside, at) => (isOutside ? [at] : []))).toEqual([16])
    // What is read of each under a mouse.
    expect(pasts.get(third)?.times).toEqual([1, 2, 3].map((day) => `2025-01-0${day}T00:00Z`))
    expect(pasts.get(third)?.commits).toEqual([null, null, null])
    expect(pasts.get(last)?.levels).toEqual([
      { since: null, expected: expect.objectContaining({ level: expect.closeTo(100, 0) }) },
    ])
    expect(pasts.get(odd)?.off).toMatchObject({ p99: 'unusual' })
    expect(pasts.get(last)?.off).toEqual({})
    expect(pasts.get(other.id)).toMatchObject({ values: [50], levels: [] })
    // A candidate ends its own line, and is in no other.
    expect(pasts.get(candidate.id)?.values.slice(-2)).toEqual([msOf(25), 101])
  })

  it('is held against the levels before and since a change', async () => {
    const { id: projectId } = await sampleProject()
    const ids: string[] = []
    for (let at = 1; at <= 26; at += 1)
      ids.push((await save(projectId, runOn(at, 'a', (at < 15 ? 100 : 150) + Math.sin(at * 2.4)))).id)
    await evaluateDue()
    const last = ids.at(-1) ?? ''
    const past = (await listPasts(await toRead(projectId), [last], p99)).get(last)
    expect(past?.levels.map(({ since, expected }) => [since, Math.round((expected?.level ?? 0) / 10) * 10])).toEqual([
      [null, 100],
      ['2025-01-15T00:00:00.000Z', 150],
    ])
    const drawn = renderToStaticMarkup(createElement(PastStrip, { past, state: 'worse', metric: p99 }))
    // The band of each level, and a line between them.
    expect(drawn.match(/fill="var\(--band\)"/g)).toHaveLength(2)
    expect(drawn.match(/data-change/g)).toHaveLength(1)
  })

  it('needs attention wherever its project says so, however many newer runs others have', async () => {
    const [quiet, busy] = [await sampleProject(), await sampleProject()]
    const failing = { ...runOn(1, 'a', 100), statusCodes: { '404': 20_000 }, successRatio: 0 }
    await saveImport(localViewer, sampleImport(quiet.id, sampleFile([failing])))
    const many = Array.from({ length: 101 }, (_, at) => runOn(2 + (at % 20), `v${at}`, 100))
    await saveImport(localViewer, sampleImport(busy.id, sampleFile(many)))
    await evaluateDue()
    const { news, attention } = await loadHome(localViewer, [])
    expect(news.get(quiet.id)?.states).toEqual([{ state: 'failing', count: 1 }])
    const items = attention.items.filter(({ projectId }) => projectId === quiet.id)
    expect(items.map(({ judged }) => judged.state)).toEqual(['failing'])
  })
})
