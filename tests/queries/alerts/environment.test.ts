import { expect, it } from 'vitest'
import { evaluateDue } from '@/app/_server/alerts/evaluate-series'
import { judgeInTime } from '@/app/_server/alerts/judge-upload'
import { NotFoundError } from '@/lib/errors'
import { gateSentence } from '@/lib/gate/gate-words'
import { environmentFactor } from '@/lib/rules/project-environments'
import { eventWords } from '@/lib/rules/rule-words'
import { alertBasis, alertSentence, alertTitle, causeOf } from '@/lib/rules/alert-words'
import { storedAlertStates, type AlertRow } from '@/lib/rules/stored-alerts'
import { localViewer } from '@/lib/viewer'
import { listAlerts } from '@/prisma/queries/alerts/alerts'
import { listRuns } from '@/prisma/queries/runs/runs'
import { listBoard } from '@/prisma/queries/series/board'
import { getTrends } from '@/prisma/queries/series/trends'
import { defaultMetric, findMetric } from '@/lib/run/metrics'
import { getEnvironment, listEnvironments, markControl } from '@/prisma/queries/series/environments'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnOneEngine } from '../engines'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun, toEdit, toRead } from '../samples'
import { normal } from '../../server/planted-history'

interface Measured {
  readonly scenario: string
  readonly level: number
  readonly control?: boolean
}

const services: readonly Measured[] = [
  { scenario: 'GET /cart', level: 18 },
  { scenario: 'GET /search', level: 45 },
  { scenario: 'POST /order', level: 90 },
]
const control: Measured = { scenario: 'static file', level: 6, control: true }

interface Night {
  readonly projectId: string
  readonly night: number
  readonly environment?: string
  /** What the machine does to all, and a commit to one. */
  readonly machine?: number
  readonly code?: Readonly<Record<string, number>>
  readonly noise?: number
  readonly commit?: (scenario: string) => string
  /** Judged as a strict build as well. */
  readonly strict?: boolean
}

/** Nights on a machine that is as it was. */
const quiet = 16
const draws = normal(11)

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

/** One night: every series runs once, minutes apart, and is judged as a build. Sentences of those that fail, or warn. */
async function measure(all: readonly Measured[], given: Night): Promise<readonly string[]> {
  const { projectId, night, environment = 'm7i.large', machine = 1, code = {}, noise = 0.03, strict = false } = given
  const said: string[] = []
  const { commit = (scenario: string) => `${scenario.length}abc${night}` } = given
  for (const [at, { scenario, level, control: isControl = false }] of all.entries()) {
    const p50 = level * machine * (code[scenario] ?? 1) * Math.exp(noise * draws.next().value)
    const p99 = 2.5 * p50 * Math.exp(noise * draws.next().value)
    const run = sampleRun({
      startedAt: new Date(Date.UTC(2026, 8, 1, 23, 10 * at) + night * 86_400_000).toISOString(),
      latencies: [
        sampleLatency({
          meanMs: null,
          quantiles: [
            { q: 0.5, ms: p50 },
            { q: 0.99, ms: p99 },
          ],
        }),
      ],
      proposal: { scenario, environment, labels: { commit: isControl ? 'pinned' : commit(scenario) } },
    })
    const { upload, runs } = await saveImport(localViewer, {
      ...sampleImport(projectId, sampleFile([run])),
      control: isControl,
    })
    for (const isStrict of strict ? [false, true] : [false]) {
      const wanted = { projectId, uploadId: upload.id, runs, wait: 1, repeat: 0, strict: isStrict }
      const verdict = await judgeInTime(localViewer, wanted, 60_000)
      const sentence = verdict === null ? 'no verdict' : plain(gateSentence(verdict))
      if (!isControl && !/^(?:Passed: nothing|Not judged)/.test(sentence)) said.push(sentence)
    }
  }
  return said
}

const alertsOf = async (projectId: string): Promise<readonly AlertRow[]> =>
  (await listAlerts(await toRead(projectId), storedAlertStates)).filter(({ state }) => state !== 'merged')

/** Verdict and origin of every change that the trends of a project show. */
async function changesOf(projectId: string): Promise<readonly string[]> {
  await evaluateDue()
  const project = await toRead(projectId)
  const seriesIds = (await listBoard(project)).map(({ id }) => id)
  const shown = await getTrends(project, { seriesIds, metrics: [defaultMetric], runs: 50 })
  const trends = (shown.get(defaultMetric) ?? []).flatMap((one) => one.trends)
  return trends.flatMap(({ changes }) => changes.map(({ verdict, origin }) => `${verdict}, ${origin}`))
}

describeOnOneEngine('environments that move', () => {
  it('are one alert without a commit, which closes when the machine is back', async () => {
    const { id: projectId } = await sampleProject()
    const all = [control, ...services]
    for (let night = 0; night < quiet; night += 1) await measure(all, { projectId, night })
    expect(await alertsOf(projectId)).toEqual([])
    const busy = { projectId, machine: 2.9, noise: 0.08 }
    const warning =
      'Passed with a warning: worse with its whole environment (m7i.large), which is not counted against this commit.'
    const first = await measure(all, { ...busy, night: quiet, strict: true })
    expect(first.filter((said) => said === warning)).toHaveLength(3)
    expect(first.filter((said) => said.startsWith('Failed:'))).toHaveLength(3)
    const failed: string[] = []
    for (let night = quiet + 1; night < quiet + 8; night += 1) failed.push(...(await measure(all, { ...busy, night })))
    expect(failed.filter((said) => said.startsWith('Failed'))).toEqual([])
    const [alert, ...others] = await alertsOf(projectId)
    expect(others).toEqual([])
    if (alert === undefined) throw new Error('there is no alert')
    expect(plain(alertTitle(alert))).toMatch(/^m7i\.large itself became (2\.[89]|3)× slower$/)
    expect(plain(alertSentence(alert))).toMatch(/slower on 17 Sep/)
    expect(plain(alertBasis(alert))).toMatch(/^The control and 3 series moved together/)
    expect(causeOf(alert)).toBeNull()
    const listed = async () => (await listEnvironments(await toRead(projectId))).map(({ shifts }) => shifts)
    expect(await listed()).toMatchObject([[{ alertId: alert.id, overSince: null }]])
    // No series is worse for what the machine did, neither the first one found nor the control.
    expect(await changesOf(projectId)).toEqual(all.map(() => 'changed, environment'))
    for (let night = quiet + 8; night < quiet + 14; night += 1) await measure(all, { projectId, night })
    expect((await alertsOf(projectId)).map(({ state }) => state)).toEqual(['recovered'])
    expect(await listed()).toMatchObject([[{ alertId: alert.id, overSince: expect.any(String) as string }]])
  })

  it('are listed with their series, controls first', async () => {
    const { id: projectId } = await sampleProject()
    await measure([...services, control], { projectId, night: 0 })
    const rolesOf = async () => {
      const [found, ...others] = await listEnvironments(await toRead(projectId))
      expect(others).toEqual([])
      expect(found).toMatchObject({ name: 'm7i.large', shifts: [] })
      return found?.series ?? []
    }
    const [first, second] = await rolesOf()
    expect(first).toMatchObject({ scenario: 'static file', isControl: true })
    expect(second).toMatchObject({ scenario: 'GET /cart', isControl: false })
    await markControl(await toEdit(projectId), first?.id ?? '', false)
    expect((await rolesOf()).map(({ isControl }) => isControl)).toEqual([false, false, false, false])
    const other = await sampleProject()
    await expect(markControl(await toEdit(other.id), first?.id ?? '', true)).rejects.toThrow(NotFoundError)
  })

  it('have controls whose runs of one commit count one by one', async () => {
    const { id: projectId } = await sampleProject()
    for (let night = 0; night < quiet; night += 1) await measure([control], { projectId, night })
    const project = await toRead(projectId)
    const [series] = await listBoard(project)
    expect(series?.newest?.state).toBe('as-expected')
    const seriesIds = [series?.id ?? '']
    const shown = async () => {
      const trends = await getTrends(project, { seriesIds, metrics: [defaultMetric], runs: 50 })
      const { rows } = await listRuns(
        project,
        { newestOfRepeats: true },
        { sort: 'time', direction: 'desc', limit: 50 },
      )
      return [trends.get(defaultMetric)?.[0]?.trends[0]?.points.length, rows.length]
    }
    expect(await shown()).toEqual([quiet, quiet])
    await markControl(await toEdit(projectId), series?.id ?? '', false)
    expect(await shown()).toEqual([1, 1])
    await markControl(await toEdit(projectId), series?.id ?? '', true)
    expect(await shown()).toEqual([quiet, quiet])
  })

  it('became faster without an alert, and are listed with that', async () => {
    const { id: projectId } = await sampleProject()
    const all = [control, ...services]
    for (let night = 0; night < quiet; night += 1) await measure(all, { projectId, night })
    for (let night = quiet; night < quiet + 8; night += 1) await measure(all, { projectId, night, machine: 0.5 })
    expect(await alertsOf(projectId)).toEqual([])
    expect(await changesOf(projectId)).toEqual(all.map(() => 'changed, environment'))
    const project = await toRead(projectId)
    const environment = await getEnvironment(project, 'm7i.large')
    expect(environment.series.map(({ isControl }) => isControl)).toEqual([true, false, false, false])
    expect(environment.shifts).toMatchObject([{ alertId: null, overSince: null }])
    const [shift] = environment.shifts
    if (shift === undefined) throw new Error('there is no shift')
    expect(plain(eventWords(shift))).toMatch(/^m7i\.large itself became (1\.9|2|2\.1)× faster$/)
    expect((await listEnvironments(project)).map(({ shifts }) => shifts)).toEqual([environment.shifts])
    const factor = environmentFactor(environment)
    expect(factor?.metric.id).toBe('p50')
    expect(factor?.nights).toHaveLength(quiet + 8)
    expect(factor?.nights.at(-1)?.factor).toBeCloseTo(0.5, 1)
    await expect(getEnvironment(project, 'elsewhere')).rejects.toThrow(NotFoundError)
  })

  it('without a control: by commits that differ, and not where one commit is new in all', async () => {
    const { id: projectId } = await sampleProject()
    const oneCommit = (night: number) => () => `c${night}`
    for (let night = 0; night < quiet; night += 1) {
      await measure(services, { projectId, night })
      await measure(services, { projectId, night, environment: 'c7g', commit: oneCommit(night) })
    }
    for (let night = quiet; night < quiet + 6; night += 1) {
      await measure(services, { projectId, night, machine: 1.5 })
      await measure(services, { projectId, night, environment: 'c7g', commit: oneCommit(night), machine: 1.5 })
    }
    const alerts = await alertsOf(projectId)
    expect(alerts.map((alert) => plain(alertSentence(alert))).toSorted()).toEqual([
      expect.stringMatching(/^m7i\.large itself became (1\.5×|4[5-9] %|5\d %) slower on 17 Sep/),
      expect.stringMatching(/^p(50|99) is (4\d|5\d) % higher since c16: the commit or the machine$/),
    ])
  })

  it('turn out to be the machine when a control gets its run', async () => {
    const { id: projectId } = await sampleProject()
    for (let night = 0; night < 26; night += 1) {
      const machine = night < 21 ? 1 : 1.5
      const given = { projectId, night, machine, commit: () => `c${night}` }
      if (night === 24) {
        const sentences = (await alertsOf(projectId)).map((alert) => plain(alertSentence(alert)))
        expect(sentences).toEqual([expect.stringMatching(/since c21: the commit or the machine$/)])
      }
      await measure(night % 4 === 0 ? [control, ...services] : services, given)
    }
    const alerts = await alertsOf(projectId)
    expect(alerts.map((alert) => plain(alertSentence(alert)))).toEqual([
      expect.stringMatching(/^m7i\.large itself became (1\.5×|4[5-9] %) slower on 22 Sep/),
    ])
    expect(alerts.map(causeOf)).toEqual([null])
  })

  it('blame the commit of the one series that moved', async () => {
    const { id: projectId } = await sampleProject()
    for (let night = 0; night < quiet; night += 1) await measure(services, { projectId, night })
    for (let night = quiet; night < quiet + 6; night += 1)
      await measure(services, { projectId, night, code: { 'GET /search': 1.4 } })
    const alerts = await alertsOf(projectId)
    expect(alerts.map((alert) => plain(alertSentence(alert)))).toEqual([
      expect.stringMatching(/^p(50|99) is [34]\d % higher since 11abc16$/),
    ])
  })

  it('leave a change of the code in sight, after the machine became slower and noisier', async () => {
    const { id: projectId } = await sampleProject()
    const all = [control, ...services]
    const busy = { projectId, machine: 2.9, noise: 0.08 }
    for (let night = 0; night < quiet; night += 1) await measure(all, { projectId, night })
    for (let night = quiet; night < quiet + 16; night += 1) await measure(all, { ...busy, night })
    const code = { 'GET /search': 1.3 }
    const said: string[] = []
    for (let night = quiet + 16; night < quiet + 26; night += 1)
      said.push(...(await measure(all, { ...busy, night, code })))
    const sentences = (await alertsOf(projectId)).map((alert) => plain(alertSentence(alert))).toSorted()
    expect(sentences).toEqual([
      expect.stringMatching(/^m7i\.large itself became (2\.\d|3)× slower on 17 Sep/),
      expect.stringMatching(/^p(50|99) is (2\d|3\d) % higher since 11abc32$/),
    ])
    expect(said).toContainEqual(expect.stringMatching(/^Failed: .* of GET \/search/))
  })

  it('that were off for four nights only: the alert keeps what trends show, and closes with the last of it', async () => {
    const { id: projectId } = await sampleProject()
    const all = [control, ...services]
    const viewer = await toRead(projectId)
    const steady = { projectId, noise: 0.015 }
    for (let night = 0; night < quiet; night += 1) await measure(all, { ...steady, night })
    for (let night = quiet; night < quiet + 4; night += 1) await measure(all, { ...steady, night, machine: 1.62 })
    const [raised] = await alertsOf(projectId)
    expect(raised).toMatchObject({ cause: null, state: 'open', findings: { length: 8 } })
    const counts: number[] = []
    for (let night = quiet + 4; night < quiet + 12; night += 1) {
      await measure(all, { ...steady, night })
      const [alert] = await alertsOf(projectId)
      if (alert === undefined || alert.state !== 'open') break
      counts.push(alert.findings.length)
      for (const { seriesId, metricId, afterRunId } of alert.findings) {
        const metric = findMetric(metricId) ?? defaultMetric
        const shown = (await getTrends(viewer, { seriesIds: [seriesId], metrics: [metric], runs: 100 })).get(metric)
        const changes = shown?.[0]?.trends.flatMap((one) => one.changes).map((one) => one.afterRunId)
        expect(changes, `${metricId} on night ${night}`).toContain(afterRunId)
      }
    }
    expect(counts.length).toBeGreaterThan(1)
    expect((await alertsOf(projectId)).map(({ state }) => state)).toEqual(['recovered'])
    expect((await listEnvironments(viewer)).map(({ shifts }) => shifts)).toMatchObject([
      [{ overSince: expect.any(String) as string }],
    ])
  })
})
