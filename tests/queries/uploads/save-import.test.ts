import { expect, it } from 'vitest'
import { InvalidInputError, NotFoundError, TooLargeError } from '@/lib/errors'
import type { ImportedRun } from '@/lib/run/run'
import { localViewer } from '@/lib/viewer'
import { deleteRun, getRun, listRuns } from '@/prisma/queries/runs/runs'
import { listUploads } from '@/prisma/queries/uploads/upload-list'
import { deleteUpload, findSavedUploadBySentSha256, saveImport } from '@/prisma/queries/uploads/uploads'
import { later } from '../../later'
import { describeOnEngines } from '../engines'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun, toEdit, toRead } from '../samples'

const firstPage = { sort: 'time', direction: 'desc', limit: 50 } as const
const named = (scenario: string, fields: Partial<ImportedRun> = {}) => sampleRun({ ...fields, proposal: { scenario } })

describeOnEngines('saveImport', () => {
  const history = async (projectId: string) => (await listRuns(await toRead(projectId), {}, firstPage)).rows

  it('stores a complete run and returns it unchanged', async () => {
    const project = await sampleProject()
    const imported = sampleRun({
      tool: 'wrk2',
      command: 'wrk2 -R 2000 http://localhost/“ping” 🏓',
      startedAt: '2021-02-10T19:31:15.322Z',
      load: { kind: 'open', ratePerSecond: 2000 },
      requests: 9_007_199_254_740_991,
      requestsPerSecond: 2740.627,
      bytesIn: 144802797076.48,
      statusCodes: { '200': 17990, '0': 3009, '500': 1 },
      errors: [{ message: 'connect: refused', count: null }],
      latencies: [
        sampleLatency({
          histogram: {
            kind: 'buckets',
            inclusive: 'upper',
            buckets: [
              { lowerMs: 0, upperMs: 0.1, count: 3 },
              { lowerMs: 0.1, upperMs: null, count: 0 },
            ],
          },
        }),
        sampleLatency({ of: 'uncorrected', quantiles: [] }),
        sampleLatency({
          of: 'success',
          histogram: { kind: 'hdr', v2Base64: 'HISTFAAAAB94nJNpmSzMwMDAxAA=', unit: 'us' },
        }),
      ],
      phases: [{ name: 'resp wait', meanMs: 1.5, minMs: null, maxMs: 1e-7 }],
      measures: [{ name: 'rss', value: 21.5, unit: 'MB', line: 7 }],
      timeline: {
        startedAt: '2026-11-21T02:00:00.000Z',
        binMs: 1_000,
        requests: [2, 0],
        errors: [1, 0],
        p50Ms: [1.5, null],
        p90Ms: [2.5, null],
        p95Ms: [2.5, null],
        p99Ms: [2.5, null],
        maxMs: [2.513, null],
        heat: { binMs: 2_000, lowerMs: [1.048576, 1.48], counts: [[1], [1]] },
        warmUp: null,
      },
      targets: [
        {
          method: 'GET',
          url: 'http://127.0.0.1/ping',
          count: 2,
          errors: 1,
          bytesIn: 30,
          meanMs: 2,
          p50Ms: 1.5,
          p95Ms: 2.5,
          p99Ms: 2.5,
          maxMs: 2.513,
        },
      ],
      printed: { requestsPerSecond: '2740.6270' },
      warnings: [{ code: 'few-samples', message: 'Only 9.', line: 3 }],
      proposal: {
        scenario: 'GET /ping',
        variant: 'Direct',
        environment: 'c6i.8xlarge',
        environmentAttributes: { memory: '64 GB' },
        labels: { commit: 'abc' },
        sources: { startedAt: 'ID, line 12' },
      },
    })
    const saved = await saveImport(localViewer, sampleImport(project.id, sampleFile([imported])))
    expect(saved.duplicate).toBe(false)
    const [row] = saved.runs
    expect(row).toMatchObject({
      projectSlug: project.slug,
      scenario: 'GET /ping',
      variant: 'Direct',
      environment: 'c6i.8xlarge',
      labels: { commit: 'abc' },
      tool: 'wrk2',
      startedAt: '2021-02-10T19:31:15.322Z',
      startedAtSource: 'ID, line 12',
      orderedAt: '2021-02-10T19:31:15.322Z',
      load: { kind: 'open', ratePerSecond: 2000 },
    })
    expect(row?.figures).toMatchObject({
      requests: 9_007_199_254_740_991,
      p99Ms: 80.125,
      p90Ms: null,
      bytesIn: 144802797076.48,
    })
    const stored = await getRun(await toRead(project.id), row?.id ?? '')
    expect(stored.imported).toEqual(imported)
    expect(stored.environmentAttributes).toEqual({ memory: '64 GB' })
    expect(stored.upload).toEqual(saved.upload)
    expect(stored).toMatchObject({ ...row, notes: '' })
  })

  it('gives a run without names those of the upload', async () => {
    const project = await sampleProject()
    const before = Date.now()
    const names = async (name: string) =>
      (await saveImport(localViewer, sampleImport(project.id, sampleFile([sampleRun()]), { name }))).runs[0]
    const run = await names('ping 2.1.hey.txt')
    expect(run).toMatchObject({ scenario: 'ping 2.1.hey', variant: null, environment: null, startedAt: null })
    expect(run?.orderedAt).toBe(run?.uploadedAt)
    expect(Date.parse(run?.orderedAt ?? '')).toBeGreaterThanOrEqual(before)
    expect((await names('.txt'))?.scenario).toBe('.txt')
    expect((await names('  '))?.scenario).toBe('untitled')
  })

  it('prefers the given names and labels to those in the file', async () => {
    const project = await sampleProject()
    const file = sampleFile([
      sampleRun({ proposal: { scenario: 'S', variant: 'V', environment: 'E', labels: { a: '1', b: '2' } } }),
    ])
    const { runs } = await saveImport(
      localViewer,
      sampleImport(project.id, file, {
        labels: { b: 'x', c: '' },
        names: { variant: 'W', environment: null, scenario: undefined },
      }),
    )
    expect(runs[0]).toMatchObject({
      scenario: 'S',
      variant: 'W',
      environment: null,
      labels: { a: '1', b: 'x', c: '' },
    })
  })

  it('returns the first upload for the same bytes, even if they arrive at once', async () => {
    const project = await sampleProject()
    const input = sampleImport(project.id, sampleFile([named('A'), named('B')]))
    const answers = await Promise.all([1, 2, 3, 4].map(() => saveImport(localViewer, input)))
    expect(answers.filter((answer) => !answer.duplicate)).toHaveLength(1)
    expect(new Set(answers.map((answer) => answer.upload.id)).size).toBe(1)
    expect(new Set(answers.flatMap((answer) => answer.runs.map((run) => run.id))).size).toBe(2)
    await later()
    const again = await saveImport(localViewer, { ...input, again: true })
    expect(again.duplicate).toBe(false)
    expect(await history(project.id)).toHaveLength(4)
    const found = await findSavedUploadBySentSha256(await toRead(project.id), input.sentSha256)
    expect(found?.upload.id).toBe(answers[0]?.upload.id)
  })

  it('accepts the same bytes again in another project, and after their runs were deleted', async () => {
    const [project, other] = [await sampleProject(), await sampleProject()]
    const input = sampleImport(project.id, sampleFile([named('A')]))
    const first = await saveImport(localViewer, input)
    expect((await saveImport(localViewer, { ...input, projectId: other.id })).duplicate).toBe(false)
    await deleteRun(await toEdit(project.id), first.runs[0]?.id ?? '')
    expect((await saveImport(localViewer, input)).duplicate).toBe(false)
  })

  it('saves nothing if one run cannot be stored', async () => {
    const project = await sampleProject()
    const deep = JSON.parse(`{ "timeline": ${'['.repeat(70)}1${']'.repeat(70)} }`)
    for (const bad of [named('B', { requestsPerSecond: NaN }), named('B', deep)]) {
      const input = sampleImport(project.id, sampleFile([named('A'), bad]))
      await expect(saveImport(localViewer, input)).rejects.toThrow(InvalidInputError)
    }
    const hdr = { kind: 'hdr', v2Base64: 'not base64!', unit: 'ns' } as const
    const input = sampleImport(
      project.id,
      sampleFile([named('A'), named('B', { latencies: [sampleLatency({ histogram: hdr })] })]),
    )
    await expect(saveImport(localViewer, input)).rejects.toThrow(InvalidInputError)
    await expect(saveImport(localViewer, sampleImport(project.id, sampleFile([])))).rejects.toThrow(InvalidInputError)
    expect(await history(project.id)).toEqual([])
    expect((await listUploads(await toEdit(project.id), { limit: 10 })).uploads).toEqual([])
  })

  it('lists uploads page by page, newest first, even if one is deleted between two pages', async () => {
    const project = await sampleProject()
    const saved: string[] = []
    for (let at = 0; at < 5; at += 1) {
      saved.unshift((await saveImport(localViewer, sampleImport(project.id, sampleFile([named(`A${at}`)])))).upload.id)
      await later()
    }
    const page = async (before?: string) => {
      const { uploads, nextBefore } = await listUploads(await toEdit(project.id), { before, limit: 2 })
      return { ids: uploads.map(({ id }) => id), nextBefore }
    }
    expect(await page()).toEqual({ ids: saved.slice(0, 2), nextBefore: saved[1] })
    await deleteUpload(await toEdit(project.id), saved[1] ?? '')
    expect(await page(saved[1])).toEqual({ ids: saved.slice(2, 4), nextBefore: saved[3] })
    expect(await page(saved[3])).toEqual({ ids: saved.slice(4), nextBefore: null })
    const elsewhere = await saveImport(localViewer, sampleImport((await sampleProject()).id, sampleFile([named('B')])))
    await expect(page(elsewhere.upload.id)).rejects.toThrow(NotFoundError)
    await expect(page('nonsense')).rejects.toThrow(NotFoundError)
  })

  it('refuses more runs than an upload may have, and accepts the maximum', async () => {
    const project = await sampleProject()
    const runs = Array.from({ length: 10_001 }, () => named('A'))
    await expect(saveImport(localViewer, sampleImport(project.id, sampleFile(runs)))).rejects.toThrow(TooLargeError)
    const saved = await saveImport(localViewer, sampleImport(project.id, sampleFile(runs.slice(0, 1_000))))
    expect(saved.runs.map((run) => run.indexInUpload)).toEqual(Array.from({ length: 1_000 }, (_, index) => index))
  })

  it('keeps hostile text as text and shows what it replaced', async () => {
    const project = await sampleProject()
    const nasty = 'a\u0000b\uD800c'
    const imported = sampleRun({
      command: nasty,
      errors: [{ message: nasty, count: 1 }],
      proposal: { scenario: nasty, labels: { [nasty]: nasty, ['__proto__']: 'x' } },
    })
    const { runs, upload } = await saveImport(
      localViewer,
      sampleImport(project.id, sampleFile([imported]), { name: nasty }),
    )
    expect(upload.name).toBe('a�b�c')
    expect(runs[0]?.scenario).toBe('a�b�c')
    const stored = await getRun(await toRead(project.id), runs[0]?.id ?? '')
    expect(stored.imported.command).toBe('a�b�c')
    expect(stored.imported.errors).toEqual([{ message: 'a�b�c', count: 1 }])
    expect(stored.labels['a�b�c']).toBe('a�b�c')
    expect('x' in {}).toBe(false)
  })

  it('refuses labels and names beyond the limits, and truncates those proposed by the file', async () => {
    const project = await sampleProject()
    const long = 'x'.repeat(3_000)
    const file = sampleFile([sampleRun({ proposal: { scenario: long, labels: { note: long } } })])
    const refused = [
      { labels: { ['k'.repeat(101)]: 'v' } },
      { labels: { k: 'v'.repeat(201) } },
      { labels: { ' ': 'v' } },
      { labels: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'v'])) },
      { names: { scenario: long } },
      { names: { scenario: ' ' } },
    ]
    for (const fields of refused) {
      await expect(saveImport(localViewer, sampleImport(project.id, file, fields))).rejects.toThrow(InvalidInputError)
    }
    const { runs } = await saveImport(
      localViewer,
      sampleImport(project.id, file, { labels: { emoji: '🏓'.repeat(200) } }),
    )
    expect(runs[0]?.scenario).toBe(`${'x'.repeat(199)}…`)
    expect(runs[0]?.labels.note).toBe(`${'x'.repeat(199)}…`)
    expect(runs[0]?.labels.emoji).toBe('🏓'.repeat(200))
  })

  it('rejects a start in the far future or past', async () => {
    const project = await sampleProject()
    for (const startedAt of ['+300000-01-01T00:00:00.000Z', '1969-07-20T20:17:40.000Z', '2999-01-01T00:00:00.000Z']) {
      const file = sampleFile([named('A', { startedAt })])
      const { runs } = await saveImport(localViewer, sampleImport(project.id, file))
      expect(runs[0]).toMatchObject({ startedAt: null, orderedAt: runs[0]?.uploadedAt })
      expect(runs[0]?.warnings).toMatchObject([{ code: 'implausible-start' }])
    }
  })
})
