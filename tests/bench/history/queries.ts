import pg from 'pg'
import { metrics } from '@/lib/run/metrics'
import { localViewer } from '@/lib/viewer'
import { evaluateRules } from '@/lib/rules/evaluate-rules'
import { profilesOf } from '@/lib/history/series'
import { runSortKeys, type RunFilter, type RunPageRequest } from '@/lib/history/run-list'
import { databasePool } from '@/prisma/db'
import { listBoard } from '@/prisma/queries/series/board'
import { getEvaluationInput, saveEvaluations } from '@/prisma/queries/alerts/evaluations'
import { listProjectNews, listProjects } from '@/prisma/queries/projects/projects'
import { getRuns, listFacets, listRuns } from '@/prisma/queries/runs/runs'
import { getSeriesHistories, listSeries } from '@/prisma/queries/series/series'
import { getTrends } from '@/prisma/queries/series/trends'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { sampleFile, sampleImport, toRead } from '../../queries/samples'
import { runsOf } from '../../read-fixture'

/** One query's times, milliseconds: the whole call, and the part from sending SQL to having its rows. */
export interface Measured {
  readonly name: string
  readonly p50Ms: number
  readonly p95Ms: number
  readonly sqlMinMs: number
  readonly sqlP50Ms: number
  readonly sqlP95Ms: number
}

/** From so many runs on a database has what each filter looks for, and its times say something. */
const largeFrom = 100_000
const quantile = (values: readonly number[], q: number) =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * q) - 1] ?? NaN

/**
 * Measures every query of the history whose name contains `only` in a project of a database filled with `runs`: 60
 * calls each after 5 uncounted ones; 2 after 1 in a small database, which only shows that the queries work.
 */
export async function measureHistory(projectId: string, only: string, runs: number): Promise<readonly Measured[]> {
  const sql = watchSql()
  const isLarge = runs >= largeFrom
  const [calls, warmUp] = isLarge ? [60, 5] : [2, 1]
  const measured: Measured[] = []
  for (const [name, call] of await queriesOf(projectId, isLarge)) {
    if (!name.includes(only)) continue
    const whole: number[] = []
    const inSql: number[] = []
    for (let round = -warmUp; round < calls; round += 1) {
      sql.ms = 0
      const startedAt = performance.now()
      await call(round)
      if (round < 0) continue
      whole.push(performance.now() - startedAt)
      inSql.push(sql.ms)
    }
    measured.push({
      name,
      p50Ms: quantile(whole, 0.5),
      p95Ms: quantile(whole, 0.95),
      sqlMinMs: Math.min(...inSql),
      sqlP50Ms: quantile(inSql, 0.5),
      sqlP95Ms: quantile(inSql, 0.95),
    })
  }
  sql.stop()
  return measured
}

type Call = (round: number) => Promise<unknown>

/** The queries of the history by name, as pages, alerts and uploads call them. `mustFind`: lists may not be empty. */
export async function queriesOf(projectId: string, mustFind: boolean): Promise<readonly (readonly [string, Call])[]> {
  const page = (fields: Partial<RunPageRequest> = {}): RunPageRequest => ({
    sort: 'time',
    direction: 'desc',
    limit: 50,
    ...fields,
  })
  const list = async (filter: RunFilter, fields?: Partial<RunPageRequest>) => {
    const found = await listRuns(await toRead(projectId), filter, page(fields))
    if (mustFind && found.rows.length === 0) throw new Error(`nothing found for ${JSON.stringify(filter)}`)
    return found
  }
  const newest = (await list({})).rows
  const some = newest[0]
  if (some === undefined) throw new Error('the project is empty')
  const names = { scenario: some.scenario, variant: some.variant ?? '', environment: some.environment ?? '' }
  const commit = { commit: some.labels['commit'] ?? '' }
  const [series] = (
    await databasePool().query<{ id: string }>(
      `SELECT series_id AS id FROM run WHERE project_id = $1 GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
      [projectId],
    )
  ).rows
  const version = newest.at(-1)?.labels['version'] ?? ''
  const ofScenario = (await list({ scenario: some.scenario })).rows
  const middle = (key: 'p99Ms' | 'requestsPerSecond') =>
    quantile(
      ofScenario.flatMap((run) => run.figures[key] ?? []),
      0.5,
    )
  const range = { of: 'p99', min: middle('p99Ms') * 0.95, max: middle('p99Ms') * 1.05 } as const
  const fast = { of: 'rps', min: middle('requestsPerSecond') } as const
  const week = new Date(Date.parse(some.orderedAt) - 7 * 86_400_000).toISOString()
  // A small database may have none in this project.
  const canary = { tag: 'canary' }
  const isThere = (await listRuns(await toRead(projectId), { labels: canary }, page())).rows.length > 0
  const rare = isThere ? canary : commit
  const seriesIds = (await listSeries(await toRead(projectId))).slice(0, 60).map((one) => one.id)
  const trend = { seriesIds: [series?.id ?? ''], metrics: metrics.filter((metric) => metric.id === 'p99') }
  let cursor: string | undefined
  const scenario = some.scenario.split('/')[2] ?? ''
  const fixture = { fixture: 'vegeta-gob/short.bin' }
  const file = sampleFile((await runsOf(fixture)).slice(0, 1))
  return [
    ['runs list, newest 50', () => list({})],
    [
      'next pages',
      async () => {
        cursor = (await list({}, { cursor })).nextCursor ?? undefined
      },
    ],
    ['label of most runs (branch=main)', () => list({ labels: { branch: 'main' } })],
    ['label of 1 in 20,000 runs', () => list({ labels: rare })],
    ['label of 8 runs (a commit)', () => list({ labels: commit })],
    ['label of 400 runs (a version)', () => list({ labels: { version } })],
    ['label of 400 runs, sorted by p99', () => list({ labels: { version } }, { sort: 'p99' })],
    ['two labels', () => list({ labels: { ...commit, branch: some.labels['branch'] ?? '' } })],
    ['state of most runs (as expected)', () => list({ state: 'as-expected' })],
    ['state of 1 in 30 runs (unusual)', () => list({ state: 'unusual' })],
    [
      'state of 1 in 30 runs, one scenario',
      async () => listRuns(await toRead(projectId), { state: 'unusual', scenario: some.scenario }, page()),
    ],
    ['state of 1 in 30 runs, sorted by p99', () => list({ state: 'unusual' }, { sort: 'p99' })],
    [
      'state of 1 in 100 runs (failing), none with p99, sorted by p99',
      () => list({ state: 'failing' }, { sort: 'p99' }),
    ],
    ['sorted by state, most urgent first', () => list({}, { sort: 'state' })],
    ['sorted by state, one scenario', () => list({ scenario: some.scenario }, { sort: 'state' })],
    ['sorted by state, rare label', () => list({ labels: rare }, { sort: 'state' })],
    ['scenario', () => list({ scenario: some.scenario })],
    ['scenario, variant, environment', () => list(names)],
    ['tool', () => list({ tool: some.tool })],
    ['word of a twentieth of the runs', () => list({ text: scenario })],
    ['word of all runs', () => list({ text: 'main' })],
    ['word of 8 runs (a commit)', () => list({ text: commit.commit })],
    ['begin of a word (4 letters of a commit)', () => list({ text: commit.commit.slice(0, 4) })],
    ['begin of a word (2 letters of a commit)', () => list({ text: commit.commit.slice(0, 2) })],
    ['begin of 800 words (a number), 1 in 85 runs', () => list({ text: '120' })],
    ['begin of 800 words, sorted by p99', () => list({ text: '120' }, { sort: 'p99' })],
    ['three words', async () => listRuns(await toRead(projectId), { text: `${scenario} candidate nightly` }, page())],
    ['a word that is nowhere', async () => listRuns(await toRead(projectId), { text: 'nowhere' }, page())],
    ...runSortKeys.map((sort): [string, Call] => [
      `sorted by ${sort}, ascending`,
      () => list({}, { sort, direction: 'asc' }),
    ]),
    ['sorted by p99, rare label', () => list({ labels: rare }, { sort: 'p99' })],
    ['sorted by p99, one scenario', () => list({ scenario: some.scenario }, { sort: 'p99' })],
    ['range of p99 in one scenario', () => list({ scenario: some.scenario, range })],
    ['range of p99 in a week', () => list({ from: week, range })],
    ['range of p99 in a week, sorted by p99', () => list({ from: week, range }, { sort: 'p99' })],
    ['range of p99, sorted by p99', () => list({ range }, { sort: 'p99', direction: 'asc' })],
    ['range of rps with a label', () => list({ labels: { branch: 'main' }, range: fast })],
    ['facets', async () => listFacets(await toRead(projectId))],
    ['projects', () => listProjects(localViewer)],
    ['latest of all projects', async () => listProjectNews(localViewer, await listProjects(localViewer), 90)],
    ['board, its series', async () => listBoard(await toRead(projectId))],
    ['list of series', async () => listSeries(await toRead(projectId))],
    ['series of a scenario', async () => listSeries(await toRead(projectId), { scenario: some.scenario })],
    ['trend of 500 runs, as it is stored', async () => getTrends(await toRead(projectId), { ...trend, runs: 500 })],
    [
      'trends of 60 series, as they are stored',
      async () => getTrends(await toRead(projectId), { ...trend, seriesIds, runs: 100 }),
    ],
    [
      '500 runs of a series, every figure',
      async () => getSeriesHistories(await toRead(projectId), trend.seriesIds, 500),
    ],
    [
      'compare of 10 runs',
      async () =>
        getRuns(
          await toRead(projectId),
          newest.slice(0, 10).map((run) => run.id),
        ),
    ],
    ['judging the newest of 400 runs, its changes known', await judging(projectId, series?.id ?? '')],
    ['insert of a run with histograms', () => saveImport(localViewer, sampleImport(projectId, file))],
  ]
}

/**
 * Everything an upload waits for until it is judged, except for the detector: reading, the judgement itself, and
 * storing it.
 */
async function judging(projectId: string, seriesId: string): Promise<Call> {
  const read = async () => {
    const { series, ...shared } = await getEvaluationInput(await toRead(projectId), [seriesId], 400)
    const own = series.get(seriesId)
    if (own === undefined) throw new Error('no such series')
    return { ...shared, ...own }
  }
  const { byProfile, rules, reference, history } = await read()
  const at = new Date().toISOString()
  const evaluations = profilesOf(history).map((profile) =>
    evaluateRules(profile, byProfile[profile.name] ?? [], { rules, reference, at }),
  )
  const due = { projectId, seriesId, dueIds: [], onlyJudgement: false }
  return async () => {
    const now = await read()
    const { version, candidates } = now
    // As after an upload: the newest run of each is not judged, the others are.
    const fresh = profilesOf(now.history).flatMap((profile) => {
      const known = evaluations.find((one) => one.profile.name === profile.name)
      const points = profile.points.map((one, at) =>
        at < profile.points.length - 1 ? one : { ...one, judgementBasis: null },
      )
      return known ? [{ ...known, profile: { ...profile, points } }] : []
    })
    const found = { due, version, evaluations: fresh, candidates }
    if ((await saveEvaluations(await toRead(projectId), [found], new Date())).length > 0)
      throw new Error('another evaluation came between')
  }
}

/** Sums the time of all statements, from any caller, until stopped. */
function watchSql(): { ms: number; stop(): void } {
  const original = pg.Client.prototype.query
  const watch = { ms: 0, stop: () => void (pg.Client.prototype.query = original) }
  // A pool's statement comes with a callback, one in a transaction returns a promise.
  pg.Client.prototype.query = new Proxy(original, {
    apply(target, self, given: unknown[]) {
      const startedAt = performance.now()
      const add = () => (watch.ms += performance.now() - startedAt)
      const told = given.at(-1)
      if (typeof told !== 'function') {
        const answer: unknown = Reflect.apply(target, self, given)
        if (answer instanceof Promise) void answer.then(add, add)
        return answer
      }
      const timed = (...results: unknown[]) => {
        add()
        Reflect.apply(told, undefined, results)
      }
      const answer: unknown = Reflect.apply(target, self, [...given.slice(0, -1), timed])
      return answer
    },
  })
  return watch
}
