import { expect, it } from 'vitest'
import { ConflictError, InvalidInputError, NotFoundError } from '@/lib/errors'
import type { RunRow } from '@/lib/history/stored-runs'
import { localViewer } from '@/lib/viewer'
import { listCellNotes, setCellNote } from '@/prisma/queries/projects/cell-notes'
import {
  createProject,
  deleteProject,
  findProject,
  getProject,
  grant,
  listProjectNews,
  listProjects,
  editProject,
} from '@/prisma/queries/projects/projects'
import {
  deleteRun,
  getRun,
  getRuns,
  listFacets,
  listRuns,
  moveRun,
  restoreRun,
  updateRun,
} from '@/prisma/queries/runs/runs'
import { listPastRuns } from '@/prisma/queries/runs/run-neighbours'
import { markSampleDataLoaded, sampleDataWasLoaded } from '@/prisma/queries/installation/settings'
import { deleteUpload, saveImport } from '@/prisma/queries/uploads/uploads'
import { runsBeside } from '../runs-beside'
import { describeOnOneEngine } from '../engines'
import {
  sampleFile,
  sampleImport,
  sampleLatency,
  sampleProject,
  sampleRun,
  type SampleRun,
  toEdit,
  toRead,
} from '../samples'

const firstPage = { sort: 'time', direction: 'desc', limit: 50 } as const

async function save(projectId: string, runs: readonly SampleRun[]): Promise<readonly RunRow[]> {
  return (await saveImport(localViewer, sampleImport(projectId, sampleFile(runs.map(sampleRun))))).runs
}

async function saveOne(projectId: string, run: SampleRun = {}): Promise<RunRow> {
  const [saved] = await save(projectId, [run])
  if (saved === undefined) throw new Error('nothing was saved')
  return saved
}

describeOnOneEngine('projects, runs and notes', () => {
  it('projects are created, found, renamed and deleted', async () => {
    const made = await createProject(localViewer, { slug: 'lambda-tests', name: '  Lambda\ntests ' })
    expect(made).toMatchObject({ slug: 'lambda-tests', name: 'Lambda tests', runCount: 0, latestRunAt: null })
    await expect(createProject(localViewer, { slug: 'lambda-tests', name: 'x' })).rejects.toThrow(ConflictError)
    for (const slug of ['', 'Lambda', '-a', 'a-', 'a/b', 'a b', 'é', 'x'.repeat(65), 'a\u0000']) {
      await expect(createProject(localViewer, { slug, name: 'x' })).rejects.toThrow(InvalidInputError)
      expect(await findProject(localViewer, slug)).toBeNull()
    }
    await expect(createProject(localViewer, { slug: 'ok', name: ' ' })).rejects.toThrow(InvalidInputError)
    await save(made.id, [{ startedAt: '2024-01-02T00:00:00.000Z' }, { startedAt: '2024-01-03T00:00:00.000Z' }])
    const full = { ...made, runCount: 2, latestRunAt: '2024-01-03T00:00:00.000Z' }
    expect(await getProject(localViewer, 'lambda-tests')).toEqual(full)
    expect(await listProjects(localViewer)).toContainEqual(full)
    const granted = await grant(localViewer, made, 'administer')
    expect(await editProject(granted, { name: 'Λ' })).toEqual({ ...full, name: 'Λ' })
    const repositoryUrl = 'https://github.com/owner/name'
    await editProject(granted, { repositoryUrl: `${repositoryUrl}.git` })
    expect(await getProject(localViewer, 'lambda-tests')).toEqual({ ...full, name: 'Λ', repositoryUrl })
    await expect(editProject(granted, { repositoryUrl: 'http://github.com/a' })).rejects.toThrow(InvalidInputError)
    expect(await editProject(granted, { repositoryUrl: null })).toMatchObject({
      repositoryUrl: null,
    })
    await deleteProject(granted)
    expect(await findProject(localViewer, 'lambda-tests')).toBeNull()
    await expect(getProject(localViewer, 'lambda-tests')).rejects.toThrow(NotFoundError)
    await expect(toRead(made.id)).rejects.toThrow(NotFoundError)
    expect((await listProjectNews(localViewer, [made], 200)).map((run) => run.projectId)).not.toContain(made.id)
    const again = await createProject(localViewer, { slug: 'lambda-tests', name: 'Again' })
    expect(again.id).not.toBe(made.id)
    expect(await getProject(localViewer, 'lambda-tests')).toEqual(again)
  })

  it('remembers that the sample data were loaded', async () => {
    expect(await sampleDataWasLoaded()).toBe(false)
    await markSampleDataLoaded()
    await markSampleDataLoaded()
    expect(await sampleDataWasLoaded()).toBe(true)
  })

  it('a run is edited, found under its new names, and its edits are checked', async () => {
    const project = await sampleProject()
    const run = await saveOne(project.id, {
      command: 'hey -z 30s http://x/ping',
      startedAt: '2024-01-02T00:00:00.000Z',
      proposal: { scenario: 'A', variant: 'V', labels: { commit: 'abc' } },
    })
    expect(run.id).toMatch(/^[0-9a-v]{26}$/)
    const edits = {
      scenario: 'B',
      variant: null,
      environment: 'c6g',
      labels: { branch: 'Main' },
      startedAt: null,
      notes: '**hm**',
    }
    const stored = await updateRun(await toEdit(project.id), run.id, edits)
    expect(stored).toMatchObject({ ...edits, orderedAt: run.uploadedAt, startedAtSource: null })
    expect(await getRun(await toRead(project.id), run.id)).toEqual(stored)
    const count = async (filter: Parameters<typeof listRuns>[1]) =>
      (await listRuns(await toRead(project.id), filter, firstPage)).rows.length
    expect(await count({ labels: { branch: 'Main' } })).toBe(1)
    expect(await count({ labels: { commit: 'abc' } })).toBe(0)
    expect(await count({ text: 'branch=main PING c6g' })).toBe(1)
    expect(await count({ text: 'abc' })).toBe(0)
    expect((await updateRun(await toEdit(project.id), run.id, {})).scenario).toBe('B')
    const dated = await updateRun(await toEdit(project.id), run.id, { startedAt: '2025-01-02T00:00:00Z' })
    expect(dated).toMatchObject({
      startedAt: '2025-01-02T00:00:00.000Z',
      orderedAt: '2025-01-02T00:00:00.000Z',
      startedAtSource: 'set manually',
    })
    const bad = [
      { scenario: '' },
      { scenario: 'x'.repeat(201) },
      { notes: 'é'.repeat(10_001) },
      { startedAt: 'yesterday' },
      { startedAt: '2999-01-01T00:00:00Z' },
      { labels: { k: 'v'.repeat(201) } },
    ]
    for (const edit of bad) {
      await expect(updateRun(await toEdit(project.id), run.id, edit)).rejects.toThrow(InvalidInputError)
    }
    expect(await getRun(await toRead(project.id), run.id)).toEqual(dated)
  })

  it('attributes of an environment are collected, and those of a run override them', async () => {
    const project = await sampleProject()
    const at = (environmentAttributes: Record<string, string>) => ({
      proposal: { environment: 'c6i', environmentAttributes },
    })
    const first = await saveOne(project.id, at({ memory: '64 GB', cpu: '32' }))
    const second = await saveOne(project.id, at({ memory: '128 GB', region: 'eu' }))
    const attributes = async (run: RunRow) => (await getRun(await toRead(project.id), run.id)).environmentAttributes
    expect(await attributes(first)).toEqual({ memory: '64 GB', cpu: '32', region: 'eu' })
    expect(await attributes(second)).toEqual({ memory: '128 GB', cpu: '32', region: 'eu' })
    await updateRun(await toEdit(project.id), second.id, { environment: 'c6g' })
    expect(await attributes(second)).toEqual({})
  })

  it('runs are read in the requested order, all or none', async () => {
    const project = await sampleProject()
    const other = await saveOne((await sampleProject()).id)
    const runs = await save(project.id, [{}, {}, {}])
    const ids = runs.map((run) => run.id).reverse()
    expect((await getRuns(await toRead(project.id), ids)).map((run) => run.id)).toEqual(ids)
    expect((await getRuns(await toRead(project.id), [...ids, ...ids])).map((run) => run.id)).toEqual(ids)
    expect(await getRuns(await toRead(project.id), [])).toEqual([])
    for (const missing of [other.id, '0'.repeat(26), 'x', '']) {
      await expect(getRuns(await toRead(project.id), [...ids, missing])).rejects.toThrow(NotFoundError)
    }
  })

  it('a run goes to the trash and back, but not out of a deleted upload', async () => {
    const project = await sampleProject()
    const run = await saveOne(project.id)
    await deleteRun(await toEdit(project.id), run.id)
    await expect(getRun(await toRead(project.id), run.id)).rejects.toThrow(NotFoundError)
    await expect(deleteRun(await toEdit(project.id), run.id)).rejects.toThrow(NotFoundError)
    await expect(updateRun(await toEdit(project.id), run.id, {})).rejects.toThrow(NotFoundError)
    expect((await listFacets(await toRead(project.id))).tools).toEqual([])
    await restoreRun(await toEdit(project.id), run.id)
    await expect(restoreRun(await toEdit(project.id), run.id)).rejects.toThrow(NotFoundError)
    expect((await getRun(await toRead(project.id), run.id)).id).toBe(run.id)
    await deleteUpload(await toEdit(project.id), run.uploadId)
    await expect(restoreRun(await toEdit(project.id), run.id)).rejects.toThrow(ConflictError)
  })

  it('a run moves with its histograms, labels, environment and raw file', async () => {
    const [from, to] = [await sampleProject(), await sampleProject()]
    const histogram = { kind: 'buckets', inclusive: 'upper', buckets: [{ lowerMs: 0, upperMs: 1, count: 2 }] } as const
    const [run, second] = await save(from.id, [
      {
        latencies: [sampleLatency({ histogram })],
        proposal: { environment: 'c6i', environmentAttributes: { cpu: '32' }, labels: { commit: 'abc' } },
      },
      {},
    ])
    const id = run?.id ?? ''
    const before = await getRun(await toRead(from.id), id)
    await expect(moveRun(await toEdit(from.id), { runId: id, toProjectSlug: 'nowhere' })).rejects.toThrow(NotFoundError)
    const moved = await moveRun(await toEdit(from.id), { runId: id, toProjectSlug: to.slug })
    await expect(getRun(await toRead(from.id), id)).rejects.toThrow(NotFoundError)
    const after = await getRun(await toRead(to.id), id)
    expect(after.seriesId).not.toBe(before.seriesId)
    expect(after).toEqual({
      ...before,
      seriesId: after.seriesId,
      projectId: to.id,
      projectSlug: to.slug,
      uploadId: moved.uploadId,
      upload: { ...before.upload, id: moved.uploadId, projectId: to.id },
    })
    expect((await listRuns(await toRead(to.id), { labels: { commit: 'abc' } }, firstPage)).rows).toHaveLength(1)
    expect((await listFacets(await toRead(from.id))).labels).toEqual({})
    const two = await moveRun(await toEdit(from.id), { runId: second?.id ?? '', toProjectSlug: to.slug })
    expect(two.uploadId).toBe(moved.uploadId)
    await deleteUpload(await toEdit(from.id), run?.uploadId ?? '')
    expect((await getRun(await toRead(to.id), id)).id).toBe(id)
  })

  it('a candidate is not a run of its series: it is counted nowhere, and is between runs', async () => {
    const project = await sampleProject()
    const at = (day: number): SampleRun => ({
      startedAt: new Date(Date.UTC(2024, 0, day)).toISOString(),
      proposal: { scenario: 'S' },
    })
    const [first, last] = await save(project.id, [at(1), at(5)])
    const file = sampleFile([sampleRun(at(3))])
    const input = sampleImport(project.id, file, { names: { candidate: true } })
    const [candidate] = (await saveImport(localViewer, input)).runs
    if (!first || !last || !candidate) throw new Error('runs are missing')
    expect(candidate).toMatchObject({ candidate: true, seriesId: first.seriesId })
    expect((await runsBeside(last)).inSeries).toEqual({
      ...{ previousId: first.id, nextId: null },
      place: { at: 2, of: 2 },
    })
    expect((await runsBeside(candidate)).inSeries).toEqual({
      ...{ previousId: first.id, nextId: last.id },
      place: null,
    })
  })

  it('the previous run is the one before in the same series', async () => {
    const project = await sampleProject()
    const at = (day: number, variant: string | null = null): SampleRun => ({
      startedAt: new Date(Date.UTC(2024, 0, day)).toISOString(),
      proposal: { scenario: 'S', variant },
    })
    const runs = await save(project.id, [at(5), at(1), at(3), at(4, 'V'), at(3), at(2, 'V')])
    const byTime = (await listRuns(await toRead(project.id), {}, { ...firstPage, direction: 'asc' })).rows.filter(
      (run) => run.variant === null,
    )
    for (const [place, run] of byTime.entries()) {
      expect((await runsBeside(run)).previous?.id ?? null).toBe(byTime[place - 1]?.id ?? null)
      const past = await listPastRuns(await toRead(run.projectId), run)
      expect(past.map(({ id }) => id)).toEqual(byTime.slice(0, place).map(({ id }) => id))
      expect((await runsBeside(run)).inSeries).toEqual({
        previousId: byTime[place - 1]?.id ?? null,
        nextId: byTime[place + 1]?.id ?? null,
        place: { at: place + 1, of: byTime.length },
      })
    }
    for (const run of runs) {
      const { siblings, inDocument } = await runsBeside(run)
      expect(siblings.map(({ id }) => id)).toEqual(runs.flatMap(({ id }) => (id === run.id ? [] : [id])))
      expect(inDocument.place).toEqual({ at: runs.indexOf(run) + 1, of: runs.length })
      expect(inDocument.nextId).toBe(runs[runs.indexOf(run) + 1]?.id ?? null)
    }
    const withVariant = runs.find((run) => run.indexInUpload === 3)
    expect(withVariant && (await runsBeside(withVariant)).previous?.indexInUpload).toBe(5)
  })

  it('facets are the distinct values, most frequent first', async () => {
    const project = await sampleProject()
    const run = (scenario: string, commit: string, variant: string | null = null): SampleRun => ({
      tool: scenario === 'A' ? 'hey' : 'wrk',
      proposal: { scenario, variant, environment: 'E', labels: { commit, ...(variant ? { only: 'one' } : {}) } },
    })
    await save(project.id, [run('A', '1'), run('B', '2'), run('B', '2', 'V'), run('C', '3')])
    expect(await listFacets(await toRead(project.id))).toEqual({
      tools: ['wrk', 'hey'],
      scenarios: ['B', 'A', 'C'],
      variants: ['V'],
      environments: ['E'],
      labels: { commit: ['2', '1', '3'], only: ['one'] },
    })
  })

  it('the newest runs come from all projects', async () => {
    const [a, b] = [await sampleProject(), await sampleProject()]
    const soon = new Date(Date.now() + 3_600_000)
    const run = (minutes: number) => ({ startedAt: new Date(soon.getTime() + minutes * 60_000).toISOString() })
    const [oldest] = await save(a.id, [run(1), run(3)])
    await save(b.id, [run(2), run(4)])
    const newest = (await listProjectNews(localViewer, await listProjects(localViewer), 2)).slice(0, 4)
    expect(newest.map((found) => found.projectSlug)).toEqual([b.slug, a.slug, b.slug, a.slug])
    expect(newest.at(-1)?.id).toBe(oldest?.id)
  })

  it('a note of an empty cell is set, changed, and removed', async () => {
    const project = await grant(localViewer, await sampleProject(), 'edit')
    const cell = { scenario: 'S', variant: 'V', environment: null }
    const cellNotes = [{ ...cell, text: 'from the file', line: 3 }]
    await saveImport(localViewer, sampleImport(project.id, sampleFile([sampleRun()], { cellNotes })))
    const texts = async () => (await listCellNotes(project)).map((note) => [note.text, note.line])
    expect(await texts()).toEqual([['from the file', 3]])
    await setCellNote(project, { ...cell, text: 'mine\u0000' })
    await setCellNote(project, { ...cell, variant: '', text: 'other cell' })
    expect(await texts()).toEqual([
      ['mine�', null],
      ['other cell', null],
    ])
    await Promise.all(['a', 'b', 'c'].map((text) => setCellNote(project, { ...cell, text })))
    expect(await texts()).toHaveLength(2)
    await setCellNote(project, { ...cell, text: ' ' })
    expect(await texts()).toEqual([['other cell', null]])
    await expect(setCellNote(project, { ...cell, text: 'x'.repeat(2_001) })).rejects.toThrow(InvalidInputError)
  })
})
