import { expect, it } from 'vitest'
import { evaluateDue } from '@/app/_server/alerts/evaluate-series'
import { replayRule } from '@/app/_server/alerts/replay-rule'
import { InvalidInputError, NotFoundError } from '@/lib/errors'
import { builtInSettings, type RuleSettings } from '@/lib/rules/rules'
import { alertStates } from '@/lib/rules/stored-alerts'
import { localViewer } from '@/lib/viewer'
import { getAlert, listAlerts, moveAlert } from '@/prisma/queries/alerts/alerts'
import { grant } from '@/prisma/queries/projects/projects'
import { addAnnotation, deleteAnnotation, listAnnotations } from '@/prisma/queries/series/annotations'
import { setBaselineRun } from '@/prisma/queries/runs/baselines'
import {
  endFailedImports,
  followFailedImport,
  followMissingRuns,
  listProjectsWithMissingRules,
} from '@/prisma/queries/alerts/project-events'
import { countRuleAlerts } from '@/prisma/queries/alerts/rule-history'
import { deleteRule, listRules, saveRule } from '@/prisma/queries/alerts/rules'
import { deleteRun } from '@/prisma/queries/runs/runs'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { database } from '@/prisma/db'
import { later } from '../../later'
import { describeOnEngines } from '../engines'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun, toEdit } from '../samples'

let day = 0

/** Uploads one run with this p99, dated a day after the previous one, and evaluates it. */
async function upload(projectId: string, ms: number, names: { variant?: string; commit?: string } = {}) {
  day += 1
  const run = sampleRun({
    startedAt: new Date(Date.UTC(2020, 0, 1) + day * 86_400_000).toISOString(),
    latencies: [sampleLatency({ meanMs: null, quantiles: [{ q: 0.99, ms }] })],
    proposal: {
      scenario: 'GET /ping',
      variant: names.variant ?? null,
      labels: names.commit === undefined ? {} : { commit: names.commit },
    },
  })
  const { runs } = await saveImport(localViewer, sampleImport(projectId, sampleFile([run])))
  const [saved] = runs
  if (saved === undefined) throw new Error('nothing was saved')
  await evaluateDue()
  return saved
}

const limit: RuleSettings = { kind: 'limit', metricId: 'p99', side: 'above', limit: 200, confirmRuns: 1 }
const everywhere = { scenario: null, seriesId: null, isEnabled: true, mutedUntil: null, ruleId: null }
const grantOf = (projectId: string) => grant(localViewer, { id: projectId }, 'edit')
const addRule = async (projectId: string, settings: RuleSettings, fields: object = {}) =>
  saveRule(await grantOf(projectId), { ...everywhere, settings, ...fields }, new Date())
const states = async (projectId: string) =>
  (await listAlerts(await grantOf(projectId), alertStates)).map((alert) => [alert.rule?.settings.kind, alert.state])

describeOnEngines('rules', (once) => {
  it('use baselines in their project: other runs are not found, whether they exist or not', async () => {
    const [{ id: projectId }, { id: elsewhere }] = [await sampleProject(), await sampleProject()]
    const [own, next, foreign] = [await upload(projectId, 10), await upload(projectId, 11), await upload(elsewhere, 10)]
    const against = (...runIds: string[]): RuleSettings => {
      return { kind: 'baseline', metricIds: ['p99'], direction: 'worse', leastEffectRatio: 0.1, confirmRuns: 1, runIds }
    }
    for (const id of [foreign.id, '0123456789abcdefghijklmnop', 'x'])
      await expect(addRule(projectId, against(own.id, id)), id).rejects.toThrow(NotFoundError)
    const { id: ruleId } = await addRule(projectId, against(own.id))
    const change = (settings: RuleSettings) => addRule(projectId, settings, { ruleId })
    await expect(change(against(own.id, foreign.id))).rejects.toThrow(NotFoundError)
    // Its baseline stays, even if that run is in the trash.
    await deleteRun(await toEdit(projectId), own.id)
    expect((await change(against(own.id, next.id))).settings).toMatchObject({ runIds: [own.id, next.id] })
    await expect(addRule(projectId, against(own.id))).rejects.toThrow(NotFoundError)
  })

  it('are limited to 200 per project; deleting one makes room', async () => {
    const { id: projectId } = await sampleProject()
    const made = await addRule(projectId, limit)
    const row = { projectId, kind: 'limit', settings: { ...limit }, updatedAt: new Date() }
    const idOf = (at: number) => `${projectId.slice(0, 20)}${String(at).padStart(6, '0')}`
    await database().rule.createMany({ data: Array.from({ length: 198 }, (_, at) => ({ ...row, id: idOf(at) })) })
    await expect(addRule(projectId, limit)).rejects.toThrow('A project has at most 200 rules.')
    await deleteRule(await grantOf(projectId), made.id, new Date())
    await addRule(projectId, limit)
  })

  it('every project has the built-in one; it can be changed, but not deleted, moved or turned into another kind', async () => {
    const { id: projectId } = await sampleProject()
    const [builtIn, ...others] = await listRules(await grantOf(projectId))
    expect(others).toEqual([])
    expect(builtIn).toMatchObject({ id: projectId, settings: builtInSettings, isEnabled: true, mutedUntil: null })
    await expect(deleteRule(await grantOf(projectId), projectId, new Date())).rejects.toThrow(InvalidInputError)
    await expect(addRule(projectId, builtInSettings, { ruleId: projectId, scenario: 'S' })).rejects.toThrow(
      InvalidInputError,
    )
    await expect(addRule(projectId, limit, { ruleId: projectId })).rejects.toThrow(InvalidInputError)
    const off = await addRule(projectId, builtInSettings, { ruleId: projectId, isEnabled: false })
    expect(await listRules(await grantOf(projectId))).toEqual([off])
    expect(off.isEnabled).toBe(false)
    const { id: other } = await sampleProject()
    await expect(addRule(projectId, limit, { ruleId: other })).rejects.toThrow(NotFoundError)
    await expect(addRule(projectId, limit, { seriesId: other })).rejects.toThrow(NotFoundError)
  })

  it('a limit: one alert while it is broken, for all series of a commit; recovers; is raised again later', async () => {
    const { id: projectId } = await sampleProject()
    await addRule(projectId, limit)
    await upload(projectId, 100, { variant: 'a', commit: 'one' })
    expect(await states(projectId)).toEqual([])
    for (const variant of ['a', 'b']) await upload(projectId, 250, { variant, commit: 'two' })
    for (const variant of ['a', 'b']) await upload(projectId, 300, { variant, commit: 'three' })
    const [alert, ...others] = await listAlerts(await grantOf(projectId), alertStates)
    expect(others).toEqual([])
    expect(alert).toMatchObject({ state: 'open', cause: 'commit two', findings: [] })
    expect(alert?.events).toMatchObject([
      { kind: 'limit', value: 300, expected: 200, count: 2, overSince: null },
      { kind: 'limit', value: 300, expected: 200, count: 2, overSince: null },
    ])
    await upload(projectId, 150, { variant: 'a', commit: 'four' })
    expect(await states(projectId)).toEqual([['limit', 'open']])
    await upload(projectId, 150, { variant: 'b', commit: 'four' })
    expect(await states(projectId)).toEqual([['limit', 'recovered']])
    await upload(projectId, 201, { variant: 'b', commit: 'five' })
    expect((await states(projectId)).sort()).toEqual([
      ['limit', 'open'],
      ['limit', 'recovered'],
    ])
  })

  once('however an alert was closed, what lasts raises no other one', async () => {
    const { id: projectId } = await sampleProject()
    await addRule(projectId, limit)
    await upload(projectId, 250)
    const [alert] = await listAlerts(await grantOf(projectId), alertStates)
    const alertId = alert?.id ?? ''
    await moveAlert(await grantOf(projectId), { alertId, to: 'expected' }, new Date())
    await upload(projectId, 260)
    expect(await states(projectId)).toEqual([['limit', 'expected']])
    await upload(projectId, 100)
    await upload(projectId, 250)
    expect((await states(projectId)).sort()).toEqual([
      ['limit', 'expected'],
      ['limit', 'open'],
    ])
  })

  it('muted, it raises nothing, but updates what it raised; a rule judges existing runs', async () => {
    const { id: projectId } = await sampleProject()
    await upload(projectId, 250)
    const muted = await addRule(projectId, limit, { mutedUntil: '2999-01-01T00:00:00.000Z' })
    await evaluateDue()
    expect(await states(projectId)).toEqual([])
    const rule = await addRule(projectId, limit, { ruleId: muted.id })
    await evaluateDue()
    expect(await states(projectId)).toEqual([['limit', 'open']])
    await addRule(projectId, limit, { ruleId: rule.id, mutedUntil: '2999-01-01T00:00:00.000Z' })
    await upload(projectId, 100)
    expect(await states(projectId)).toEqual([['limit', 'recovered']])
  })

  it('deleting a rule auto-closes its alerts, which keep its name', async () => {
    const { id: projectId } = await sampleProject()
    const rule = await addRule(projectId, limit)
    await upload(projectId, 250)
    await later()
    await deleteRule(await grantOf(projectId), rule.id, new Date())
    await evaluateDue()
    const [alert] = await listAlerts(await grantOf(projectId), alertStates)
    expect(alert).toMatchObject({ state: 'withdrawn', rule: { settings: limit } })
    const { steps } = await getAlert(await grantOf(projectId), alert?.id ?? '')
    expect(steps.map((step) => step.what)).toEqual(['opened', 'ended'])
    await upload(projectId, 260)
    expect(await states(projectId)).toEqual([['limit', 'withdrawn']])
  })

  it('a baseline: the marked run of the scenario, or the median of named ones', async () => {
    const { id: projectId } = await sampleProject()
    const runs = [await upload(projectId, 100), await upload(projectId, 104), await upload(projectId, 102)]
    const baseline = {
      kind: 'baseline',
      metricIds: ['p99'],
      direction: 'worse',
      leastEffectRatio: 0.2,
      confirmRuns: 2,
      runIds: [],
    } as const
    await addRule(projectId, baseline)
    await addRule(projectId, { ...baseline, confirmRuns: 1, leastEffectRatio: 0.3, runIds: runs.map((run) => run.id) })
    await upload(projectId, 125)
    expect(await states(projectId)).toEqual([])
    await setBaselineRun(await toEdit(projectId), runs[0]?.id ?? '')
    await upload(projectId, 125)
    const [marked] = await listAlerts(await grantOf(projectId), alertStates)
    expect(marked?.events).toMatchObject([{ kind: 'baseline', expected: 100, value: 125, count: 2 }])
    await upload(projectId, 140)
    const alerts = await listAlerts(await grantOf(projectId), alertStates)
    expect(alerts.map((alert) => alert.events.map((event) => 'expected' in event && event.expected)).sort()).toEqual([
      [100],
      [102],
    ])
  })

  once('a narrower rule, switched off, silences its scenario', async () => {
    const { id: silent } = await sampleProject()
    await addRule(silent, builtInSettings, { scenario: 'GET /ping', isEnabled: false })
    for (let at = 0; at < 20; at += 1) await upload(silent, at < 12 ? 100 + (at % 3) : 160 + (at % 3))
    expect(await states(silent)).toEqual([])
  })

  once('missing runs: raised once after the wait, recovered by the next run; the replay says the same', async () => {
    const { id: projectId } = await sampleProject()
    const rule = await addRule(projectId, { kind: 'missing', hours: 36 })
    const later = (at: string, hours: number) => new Date(Date.parse(at) + hours * 3_600_000)
    await followMissingRuns(await toEdit(projectId), new Date())
    expect(await states(projectId)).toEqual([])
    const { orderedAt } = await upload(projectId, 100)
    await followMissingRuns(await toEdit(projectId), later(orderedAt, 36))
    expect(await states(projectId)).toEqual([])
    for (const hours of [37, 40, 90]) await followMissingRuns(await toEdit(projectId), later(orderedAt, hours))
    expect(await states(projectId)).toEqual([['missing', 'open']])
    const next = await upload(projectId, 100)
    await followMissingRuns(await toEdit(projectId), later(next.orderedAt, 1))
    expect(await states(projectId)).toEqual([['missing', 'recovered']])
    expect(await listProjectsWithMissingRules()).toContain(projectId)
    const replay = await replayRule(await grantOf(projectId), rule, later(next.orderedAt, 37))
    expect(replay.firings.map((one) => one.at)).toEqual([later(next.orderedAt, 36).toISOString()])
  })

  it('failed imports: one alert until an upload is readable, with their number', async () => {
    const { id: projectId } = await sampleProject()
    const failed = { id: projectId, name: 'hey.txt', message: 'No run was found.' }
    await followFailedImport(await toEdit(projectId), failed, new Date())
    expect(await states(projectId)).toEqual([])
    await addRule(projectId, { kind: 'failed-import' })
    for (let at = 0; at < 3; at += 1) await followFailedImport(await toEdit(projectId), failed, new Date())
    const [alert] = await listAlerts(await grantOf(projectId), alertStates)
    expect(await states(projectId)).toEqual([['failed-import', 'open']])
    expect(alert?.events).toMatchObject([{ count: 3, message: 'No run was found.' }])
    await endFailedImports(await toEdit(projectId), new Date())
    expect(await states(projectId)).toEqual([['failed-import', 'recovered']])
    expect(await countRuleAlerts(await grantOf(projectId))).toEqual({ [alert?.rule?.id ?? '']: { recovered: 1 } })
  })

  it('annotations: of a scenario and of the whole project, oldest first, until they are removed', async () => {
    const granted = await grant(localViewer, await sampleProject(), 'edit')
    const add = (text: string, at: string, scenario: string | null) =>
      addAnnotation(granted, { kind: 'deploy', text, at, scenario })
    const late = await add('2.0', '2026-03-01T00:00:00.000Z', null)
    const early = await add('cache off', '2026-02-01T00:00:00.000Z', 'GET /ping')
    await add('elsewhere', '2026-02-02T00:00:00.000Z', 'other')
    expect(await listAnnotations(granted, 'GET /ping')).toEqual([early, late])
    expect(await listAnnotations(granted, null)).toHaveLength(3)
    await deleteAnnotation(granted, early.id)
    await expect(deleteAnnotation(granted, early.id)).rejects.toThrow(NotFoundError)
    expect(await listAnnotations(granted, 'GET /ping')).toEqual([late])
  })
})
