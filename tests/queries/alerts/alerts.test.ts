import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { evaluateDue } from '@/app/_server/alerts/evaluate-series'
import { evaluateSeries } from '@/app/_server/alerts/evaluate-series'
import { detectorVersion } from '@/lib/levels/sensitivity'
import { ConflictError, InvalidInputError, NotFoundError } from '@/lib/errors'
import { alertStates, liveStates } from '@/lib/rules/stored-alerts'
import { localViewer } from '@/lib/viewer'
import { database, databasePool } from '@/prisma/db'
import { assignAlert, commentAlert, getAlert, listAlerts, moveAlert } from '@/prisma/queries/alerts/alerts'
import { acceptInvitation, createInvitation } from '@/prisma/queries/accounts/invitations'
import { findDueSeries, getEvaluationInput, listDueSeries, saveEvaluations } from '@/prisma/queries/alerts/evaluations'
import { listProjectNames } from '@/prisma/queries/projects/frames'
import { deleteProject, grant } from '@/prisma/queries/projects/projects'
import { deleteRun, moveRun } from '@/prisma/queries/runs/runs'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { later } from '../../later'
import { describeOnEngines } from '../engines'
import { noisy } from '../../lib/detect/sample-profile'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun, toEdit, toRead } from '../samples'

let day = 0

/** Uploads one run with this p99, dated a day after the previous one. */
async function upload(projectId: string, ms: number, names: { variant?: string; commit?: string; p50?: number } = {}) {
  day += 1
  const run = sampleRun({
    startedAt: new Date(Date.UTC(2020, 0, 1) + day * 86_400_000).toISOString(),
    latencies: [
      sampleLatency({
        meanMs: null,
        quantiles: [
          { q: 0.5, ms: names.p50 ?? 10 },
          { q: 0.99, ms },
        ],
      }),
    ],
    proposal: {
      scenario: 'GET /ping',
      variant: names.variant ?? 'direct',
      labels: names.commit === undefined ? {} : { commit: names.commit },
    },
  })
  const { runs } = await saveImport(localViewer, sampleImport(projectId, sampleFile([run])))
  const [saved] = runs
  if (saved === undefined) throw new Error('nothing was saved')
  return saved
}

const steady = (at: number, ms: number) => ms * (1 + 0.01 * Math.sin(at * 2.4))

/** 20 steady runs, then `slower` ones, each evaluated on arrival. */
async function slowDown(projectId: string, slower: number, names: { variant?: string; p50?: number } = {}) {
  for (let at = 0; at < 20; at += 1) await upload(projectId, steady(at, 100), names)
  await evaluateDue()
  for (let at = 0; at < slower; at += 1) {
    await upload(projectId, steady(at, 140), names)
    await evaluateDue()
  }
}

const grantOf = (projectId: string) => grant(localViewer, { id: projectId }, 'edit')

/** How many alerts the frame shows next to a project. */
const openAlertsOf = async (slug: string) =>
  (await listProjectNames(localViewer)).find((project) => project.slug === slug)?.openAlerts

describeOnEngines('alerts', (once) => {
  once('one alert for a slower level, however many runs follow; expected, it stays quiet', async () => {
    const { id: projectId, slug } = await sampleProject()
    await slowDown(projectId, 6)
    const [alert, ...others] = await listAlerts(await grantOf(projectId), liveStates)
    expect(others).toEqual([])
    expect(alert).toMatchObject({
      state: 'open',
      projectSlug: slug,
      sensitivity: 'balanced',
      series: { variant: 'direct' },
    })
    expect(alert?.findings).toMatchObject([{ metricId: 'p99', runsAfter: 6 }])
    expect(alert?.detectorVersion).toBe(detectorVersion)
    expect(await openAlertsOf(slug)).toBe(1)
    const seriesId = alert?.series?.id ?? ''
    expect(await findDueSeries(await toRead(projectId), seriesId)).toBeNull()

    const alertId = alert?.id ?? ''
    await moveAlert(await grantOf(projectId), { alertId, to: 'acknowledged', note: 'looking' }, new Date())
    await later()
    const said = await commentAlert(await grantOf(projectId), { alertId, text: ' TLS at the origin ' }, new Date())
    expect(said.state).toBe('acknowledged')
    expect(said.updatedAt).toBe((await getAlert(await grantOf(projectId), alertId)).updatedAt)
    await expect(commentAlert(await grantOf(projectId), { alertId, text: ' ' }, new Date())).rejects.toThrow(
      InvalidInputError,
    )
    await later()
    const done = await moveAlert(await grantOf(projectId), { alertId, to: 'expected' }, new Date())
    expect(done.steps.map((step) => [step.what, step.who, step.note])).toEqual([
      ['opened', 'Tailboard', ''],
      ['acknowledged', 'local user', 'looking'],
      ['commented', 'local user', 'TLS at the origin'],
      ['expected', 'local user', ''],
    ])
    expect(done.seriesOf[seriesId]?.scenario).toBe('GET /ping')
    expect(done.closedAt).not.toBeNull()
    await expect(moveAlert(await grantOf(projectId), { alertId, to: 'expected' }, new Date())).rejects.toThrow(
      ConflictError,
    )
    for (let at = 0; at < 5; at += 1) await upload(projectId, steady(at, 140))
    await evaluateDue()
    expect((await listAlerts(await grantOf(projectId), alertStates)).map((one) => one.state)).toEqual(['expected'])
  })

  once('a level that crept names no commit as its cause, for no single run caused it', async () => {
    const { id: projectId } = await sampleProject()
    for (let at = 0; at < 80; at += 1) await upload(projectId, steady(at, 100 * 1.004 ** at), { commit: `c${at}` })
    await evaluateDue()
    const [alert, ...others] = await listAlerts(await grantOf(projectId), liveStates)
    expect(others).toEqual([])
    expect(alert?.events).toMatchObject([{ kind: 'drift', metricId: 'p99' }])
    expect(alert?.cause).toBeNull()
  })

  it('is assigned to people who can see the project, by name, and to no one else', async () => {
    const [{ id: projectId }, { id: elsewhere }] = [await sampleProject(), await sampleProject()]
    await slowDown(projectId, 6)
    const [alert] = await listAlerts(await grantOf(projectId), liveStates)
    const alertId = alert?.id ?? ''
    const join = async (project: string, name: string) => {
      const tokenSha256 = randomBytes(32).toString('hex')
      const into = { projectId: project, role: 'viewer' } as const
      await createInvitation(localViewer, { email: null, into, tokenSha256 }, new Date())
      const invited = { kind: 'new', email: `${tokenSha256}@example.com`, name, passwordHash: null } as const
      return acceptInvitation(tokenSha256, { ...invited, subject: null }, new Date())
    }
    const [ada, eve] = [await join(projectId, 'Ada'), await join(elsewhere, 'Eve')]
    const assign = async (accountId: string | null) =>
      assignAlert(await grantOf(projectId), { alertId, accountId }, new Date())
    await expect(assign(eve)).rejects.toThrow(InvalidInputError)
    await expect(assign('unknown')).rejects.toThrow(InvalidInputError)
    await expect(assign(null)).rejects.toThrow(ConflictError)
    expect((await assign(ada)).assignee).toEqual({ id: ada, name: 'Ada' })
    await expect(assign(ada)).rejects.toThrow(ConflictError)
    expect((await listAlerts(await grantOf(projectId), liveStates)).map((one) => one.assignee?.name)).toEqual(['Ada'])
    // Changes by evaluations leave it unchanged.
    await upload(projectId, steady(7, 140))
    await evaluateDue()
    await later()
    const done = await assign(null)
    expect(done.assignee).toBeNull()
    expect(done.state).toBe('open')
    expect(done.steps.map(({ what, who, note }) => [what, who, note])).toEqual([
      ['opened', 'Tailboard', ''],
      ['assigned', 'local user', 'To Ada'],
      ['unassigned', 'local user', ''],
    ])
  })

  once('an alert whose place meets an earlier one merges into it, and its address leads there', async () => {
    const { id: projectId } = await sampleProject()
    const levels = (before: number, after: number) => [
      ...Array<number>(40).fill(before),
      ...Array<number>(20).fill(after),
    ]
    const p50s = noisy(levels(100, 106), 0.03, 35)
    const p99s = noisy(levels(200, 243.8), 0.08, 36)
    for (const [at, p50] of p50s.entries()) {
      await upload(projectId, p99s[at] ?? 0, { p50, commit: `met-${at}` })
      if (at >= 39) await evaluateDue()
    }
    const merged = await database().alert.findMany({ where: { projectId, state: 'merged' } })
    expect(merged.length).toBeGreaterThan(0)
    const listed = await listAlerts(await grantOf(projectId), alertStates)
    for (const { id, mergedIntoId } of merged) {
      expect(listed.map((one) => one.id)).not.toContain(id)
      const standing = await getAlert(await grantOf(projectId), id)
      expect(standing.id).toBe(mergedIntoId)
      expect(standing.findings.map((one) => one.metricId).sort()).toEqual(['p50', 'p99'])
      expect(standing.steps.map((step) => step.what)).toContain('took-over')
      const moved = await moveAlert(await grantOf(projectId), { alertId: id, to: 'acknowledged' }, new Date())
      expect(moved).toMatchObject({ id: mergedIntoId, state: 'acknowledged' })
    }
    const watches = await database().seriesWatch.findMany({ where: { projectId } })
    for (const { id } of merged) expect(JSON.stringify(watches)).not.toContain(id)
  })

  once('many metrics and the series of one commit make one alert', async () => {
    const { id: projectId } = await sampleProject()
    for (let at = 0; at < 20; at += 1) {
      for (const variant of ['a', 'b'])
        await upload(projectId, steady(at, 100), { variant, commit: `old-${at}`, p50: steady(at + 1, 10) })
    }
    await evaluateDue()
    for (let at = 0; at < 4; at += 1) {
      for (const variant of ['a', 'b'])
        await upload(projectId, steady(at, 140), { variant, commit: `new-${at}`, p50: steady(at + 1, 14) })
      await evaluateDue()
    }
    const alerts = await listAlerts(await grantOf(projectId), alertStates)
    expect(alerts).toHaveLength(1)
    expect(alerts[0]?.cause).toBe('commit new-0')
    expect(alerts[0]?.findings.map((one) => one.metricId).sort()).toEqual(['p50', 'p50', 'p99', 'p99'])
    expect(new Set(alerts[0]?.findings.map((one) => one.seriesId)).size).toBe(2)
  })

  once('recovers by itself, and is withdrawn when its runs are deleted', async () => {
    const { id: projectId } = await sampleProject()
    await slowDown(projectId, 8)
    for (let at = 0; at < 8; at += 1) await upload(projectId, steady(at, 100))
    await evaluateDue()
    const [alert] = await listAlerts(await grantOf(projectId), alertStates)
    expect(alert?.state).toBe('recovered')
    expect((await getAlert(await grantOf(projectId), alert?.id ?? '')).steps.map((step) => step.what)).toContain(
      'recovered',
    )

    const other = await sampleProject()
    for (let at = 0; at < 20; at += 1) await upload(other.id, steady(at, 100))
    await evaluateDue()
    const slow = []
    for (let at = 0; at < 4; at += 1) slow.push(await upload(other.id, steady(at, 140)))
    await evaluateDue()
    expect(await openAlertsOf(other.slug)).toBe(1)
    for (const run of slow) await deleteRun(await toEdit(other.id), run.id)
    for (let at = 0; at < 3; at += 1) {
      await upload(other.id, steady(at, 100))
      await evaluateDue()
    }
    expect((await listAlerts(await grantOf(other.id), alertStates)).map((one) => one.state)).toEqual(['withdrawn'])
  })

  once('an alert keeps the version of the detector that raised it, whatever evaluates it later', async () => {
    const { id: projectId } = await sampleProject()
    await slowDown(projectId, 6)
    const [raised] = await listAlerts(await grantOf(projectId), liveStates)
    const parameters = { sensitivity: 'balanced', detectorVersion: 'rsd-1' }
    await database().alert.update({ where: { id: raised?.id ?? '' }, data: { parameters } })
    await upload(projectId, 140)
    await evaluateDue()
    const [updated] = await listAlerts(await grantOf(projectId), liveStates)
    expect(updated).toMatchObject({ id: raised?.id, detectorVersion: 'rsd-1', findings: [{ runsAfter: 7 }] })
  })

  it('a change committed late, with a lower number, is still evaluated', async () => {
    const { id: projectId } = await sampleProject()
    const { rows } = await databasePool().query<{ id: string }>(`SELECT nextval('series_due_id_seq') AS id`)
    const late = String(rows[0]?.id)
    const { seriesId } = await upload(projectId, 1)
    const due = await findDueSeries(await toRead(projectId), seriesId)
    if (due === null) throw new Error('due')
    expect(Number(due.dueIds[0])).toBeGreaterThan(Number(late))
    await databasePool().query('INSERT INTO series_due (id, series_id) VALUES ($1, $2)', [late, seriesId])
    await evaluateSeries(await toRead(projectId), [due])
    expect(await findDueSeries(await toRead(projectId), seriesId)).toMatchObject({ dueIds: [late] })
  })

  it('a run that moves to another project: both series are due', async () => {
    const from = await sampleProject()
    const to = await sampleProject()
    const run = await upload(from.id, 1)
    await evaluateDue()
    const moved = await moveRun(await toEdit(from.id), { runId: run.id, toProjectSlug: to.slug })
    expect(moved.seriesId).not.toBe(run.seriesId)
    expect(await findDueSeries(await toRead(from.id), run.seriesId)).not.toBeNull()
    expect(await findDueSeries(await toRead(to.id), moved.seriesId)).not.toBeNull()
  })

  it('an evaluation that was overtaken by another is not stored', async () => {
    const { id: projectId } = await sampleProject()
    const run = await upload(projectId, 1)
    const due = await findDueSeries(await toRead(projectId), run.seriesId)
    if (due === null) throw new Error('due')
    const { series } = await getEvaluationInput(await toRead(projectId), [run.seriesId], 400)
    const version = series.get(run.seriesId)?.version ?? 'no series'
    await evaluateSeries(await toRead(projectId), [due])
    const late = { due, version, evaluations: [], candidates: [] }
    expect(await saveEvaluations(await toRead(projectId), [late], new Date())).toEqual([due])
  })

  it('a series that is due when the server stops stays due', async () => {
    const { id: projectId } = await sampleProject()
    const { seriesId } = await upload(projectId, 100)
    await evaluateDue(AbortSignal.abort())
    expect(await findDueSeries(await toRead(projectId), seriesId)).not.toBeNull()
    await evaluateDue(new AbortController().signal)
    expect(await findDueSeries(await toRead(projectId), seriesId)).toBeNull()
  })

  it('a series that cannot be evaluated stays due, and blocks no other in its project', async () => {
    const { id: projectId } = await sampleProject()
    const broken = await upload(projectId, 100, { variant: 'broken' })
    await evaluateDue()
    await databasePool().query(`UPDATE series_watch SET watched = '"?"' WHERE series_id = $1`, [broken.seriesId])
    await upload(projectId, 100, { variant: 'broken' })
    const sound = await upload(projectId, 100, { variant: 'sound' })
    await expect(evaluateDue()).rejects.toThrow('1 series could not be evaluated')
    expect(await findDueSeries(await toRead(projectId), broken.seriesId)).not.toBeNull()
    expect(await findDueSeries(await toRead(projectId), sound.seriesId)).toBeNull()
    await databasePool().query('DELETE FROM series_due WHERE series_id = $1', [broken.seriesId])
  })

  it('waiting series are listed by waiting time, each with everything it waits for', async () => {
    const { id: projectId } = await sampleProject()
    const first = await upload(projectId, 1, { variant: 'first' })
    await evaluateDue()
    for (const variant of ['second', 'first', 'second', 'third']) await upload(projectId, 1, { variant })
    const listed = await listDueSeries(100)
    expect(listed.map(({ dueIds }) => dueIds.length)).toEqual([2, 1, 1])
    expect(listed[1]).toMatchObject({ projectId, seriesId: first.seriesId, onlyJudgement: false })
    expect((await listDueSeries(1)).map(({ seriesId }) => seriesId)).toEqual([listed[0]?.seriesId])
    const [second = '', , third = ''] = listed.map(({ seriesId }) => seriesId)
    expect((await listDueSeries(1, [second])).map(({ seriesId }) => seriesId)).toEqual([first.seriesId])
    expect((await listDueSeries(100, [second, first.seriesId])).map(({ seriesId }) => seriesId)).toEqual([third])
    await evaluateDue()
    expect(await listDueSeries(100)).toEqual([])
  })

  it('nothing in a deleted project is due', async () => {
    const { id: projectId, slug } = await sampleProject()
    await upload(projectId, 1)
    expect((await listDueSeries(10_000)).some((one) => one.projectId === projectId)).toBe(true)
    await deleteProject(await grant(localViewer, { slug }, 'administer'))
    expect((await listDueSeries(10_000)).some((one) => one.projectId === projectId)).toBe(false)
    await expect(grantOf(projectId)).rejects.toThrow(NotFoundError)
  })
})
