import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { runSortKeys, type RunFilter } from '@/lib/history/run-list'
import type { RunRow } from '@/lib/history/stored-runs'
import { localViewer } from '@/lib/viewer'
import { databasePool } from '@/prisma/db'
import { getProject } from '@/prisma/queries/projects/projects'
import { deleteRun, listFacets, listRuns, moveRun, restoreRun, updateRun } from '@/prisma/queries/runs/runs'
import { foldTermCounts } from '@/prisma/queries/installation/sweeps'
import { deleteUpload, replaceUploadRuns, restoreUpload, saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnEngines } from '../engines'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun, toEdit, toRead } from '../samples'

const migrations = ['20261121120000_run_terms', '20261121143000_lean_terms', '20261121150500_word_spans'].map((name) =>
  path.join(import.meta.dirname, '../../../prisma/migrations', name, 'migration.sql'),
)

interface Row {
  readonly project_id: string
  readonly id: string
  readonly at: string
  readonly names: readonly (string | null)[]
  readonly labels: Readonly<Record<string, string>>
  readonly search_text: string
}

/** The counts and rows of run_term, computed from the runs themselves. */
async function expected() {
  const { rows } = await databasePool().query<Row>(
    `SELECT project_id, id, ordered_at::text AS at, ARRAY[tool, scenario, variant, environment] AS names, labels, search_text
     FROM run WHERE deleted_at IS NULL`,
  )
  const kinds = ['tool', 'scenario', 'variant', 'environment']
  return rows.flatMap(({ project_id, id, at, names, labels, search_text }) => {
    const words = search_text.split(/[\s!-/:-@[-`{-~]+/).filter((word) => word.length > 1)
    const terms = [
      ...names.flatMap((name, index) => (name === null ? [] : [`${kinds[index]}||${name}`])),
      ...Object.entries(labels).map(([key, value]) => `label|${key}|${value}`),
      ...[...new Set(words.map((word) => word.slice(0, 40)))].slice(0, 200).map((word) => `word||${word}`),
    ]
    return terms.map((term) => ({ project_id, id, at, term }))
  })
}

async function kept() {
  const counted = `SELECT project_id, id, kind, key, value, sum(runs) AS runs FROM (
    SELECT * FROM term UNION ALL SELECT project_id, term_id, kind, key, value, change FROM term_change) AS c
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(runs) <> 0`
  const { rows: counts } = await databasePool().query<{ project_id: string; term: string; runs: string }>(
    `SELECT project_id, concat_ws('|', kind, key, value) AS term, runs FROM (${counted}) AS c WHERE kind NOT IN ('run', 'key')`,
  )
  const { rows } = await databasePool().query<{ project_id: string; id: string; at: string; term: string }>(
    `SELECT c.project_id, run_id AS id, ordered_at::text AS at, concat_ws('|', kind, key, value) AS term
     FROM run_term AS t JOIN (${counted}) AS c ON term_list(c.project_id, kind, key, value) = t.term_id
     UNION ALL SELECT r.project_id, r.id, ordered_at::text, concat_ws('|', kind, key, value)
     FROM run AS r, unnest(word_lists(r.project_id, r.search_text, r.ordered_at)) AS list
     JOIN (${counted}) AS c ON term_list(c.project_id, kind, key, value) = list AND kind = 'word' WHERE deleted_at IS NULL`,
  )
  const { rows: all } = await databasePool().query<{ all: string }>('SELECT count(*) AS all FROM run_term')
  return {
    rows,
    all: Number(all[0]?.all),
    counts: new Map(counts.map((row) => [row.project_id + row.term, Number(row.runs)])),
  }
}

/** The tables of terms match the runs exactly. */
async function expectConsistent(): Promise<void> {
  const wanted = await expected()
  const { rows, all, counts } = await kept()
  const textOf = (row: { project_id: string; id: string; at: string; term: string }) =>
    [row.project_id, row.id, row.at, row.term].join(' ')
  const listed = wanted.filter(({ term }) => !term.startsWith('scenario|'))
  expect(rows.map(textOf).sort()).toEqual(listed.map(textOf).sort())
  expect(all).toBe(listed.filter(({ term }) => !term.startsWith('word|')).length)
  const wantedCounts = new Map<string, number>()
  for (const { project_id, term } of wanted)
    wantedCounts.set(project_id + term, (wantedCounts.get(project_id + term) ?? 0) + 1)
  expect(counts).toEqual(wantedCounts)
}

describeOnEngines('terms', (once) => {
  let projectId = ''
  let slug = ''
  let uploadId = ''
  let runs: readonly RunRow[] = []
  const file = sampleFile(
    Array.from({ length: 120 }, (_, at) =>
      sampleRun({
        tool: at % 3 === 0 ? 'wrk' : 'hey',
        command: `hey -n ${at} "http://localhost:80${at % 4}0/Größe?x=${'a'.repeat(45)}"`,
        startedAt: at % 5 === 0 ? null : new Date(Date.UTC(2024, 0, 1 + (at % 20))).toISOString(),
        requestsPerSecond: at % 7 === 0 ? null : at,
        latencies: [sampleLatency({ quantiles: [{ q: 0.99, ms: at % 11 }] })],
        proposal: {
          scenario: `GET /s${at % 9}`,
          variant: at % 2 ? 'zlib' : null,
          labels: { commit: `abc${at >> 3}`, 'path|x': '/a b', ...(at === 77 ? { rare: 'yes' } : {}) },
        },
      }),
    ),
  )

  beforeAll(async () => {
    const project = await sampleProject()
    projectId = project.id
    slug = project.slug
    const saved = await saveImport(localViewer, sampleImport(projectId, file))
    uploadId = saved.upload.id
    runs = saved.runs
  })

  it('follow every change of runs', async () => {
    await expectConsistent()
    const [first, second, third] = runs
    if (first === undefined || second === undefined || third === undefined) throw new Error('no runs')
    await updateRun(await toEdit(projectId), first.id, { labels: { commit: 'abc0', fresh: 'one' }, variant: 'gzip' })
    await updateRun(await toEdit(projectId), second.id, { startedAt: '2023-05-05T00:00:00.000Z', notes: 'no term' })
    await deleteRun(await toEdit(projectId), third.id)
    await expectConsistent()
    await foldTermCounts()
    await expectConsistent()
    const other = await sampleProject()
    await moveRun(await toEdit(projectId), { runId: second.id, toProjectSlug: other.slug })
    await restoreRun(await toEdit(projectId), third.id)
    await expectConsistent()
    await moveRun(await toEdit(other.id), { runId: second.id, toProjectSlug: slug })
    await replaceUploadRuns(await toEdit(projectId), { uploadId, file: { ...file, runs: file.runs.slice(0, 110) } })
    await expectConsistent()
    await deleteUpload(await toEdit(projectId), uploadId)
    await expectConsistent()
    await foldTermCounts()
    expect((await databasePool().query('SELECT * FROM term WHERE project_id = $1', [projectId])).rows).toEqual([])
    expect((await getProject(localViewer, slug)).runCount).toBe(0)
    await restoreUpload(await toEdit(projectId), uploadId)
    await expectConsistent()
    expect(await getProject(localViewer, slug)).toMatchObject({ runCount: 110, latestRunAt: expect.any(String) })
    await databasePool().query("BEGIN; DELETE FROM run WHERE id = '" + first.id + "'; COMMIT")
    await expectConsistent()
  })

  it('match the facets, most frequent first, before and after they are added up', async () => {
    const facets = await listFacets(await toRead(projectId))
    expect(facets.tools).toEqual(['hey', 'wrk'])
    expect(facets.variants).toEqual(['zlib'])
    expect(facets.scenarios).toHaveLength(9)
    expect(Object.keys(facets.labels)).toEqual(['commit', 'path|x', 'rare'])
    expect(facets.labels['commit']?.slice(0, 2)).toEqual(['abc1', 'abc10'])
    await foldTermCounts()
    expect(await listFacets(await toRead(projectId))).toEqual(facets)
  })

  once('find what a full scan finds, in its order, with every sorting', async () => {
    const all = (await listRuns(await toRead(projectId), {}, { sort: 'time', direction: 'desc', limit: 200 })).rows
    const cases: readonly (readonly [RunFilter, (run: RunRow) => boolean])[] = [
      [{ labels: { rare: 'yes' } }, (run) => run.labels['rare'] === 'yes'],
      [{ labels: { commit: 'abc4' } }, (run) => run.labels['commit'] === 'abc4'],
      [{ tool: 'wrk', variant: 'zlib' }, (run) => run.tool === 'wrk' && run.variant === 'zlib'],
      [{ text: 'abc' }, () => true],
      [{ text: 'abc1 zl' }, (run) => /^abc1/.test(run.labels['commit'] ?? '') && run.variant === 'zlib'],
      [{ text: `${'a'.repeat(45)} GRÖSS` }, () => false],
      [{ text: `grö x=${'a'.repeat(45)}` }, () => true],
      [{ text: `x=${'a'.repeat(46)}` }, () => false],
      [{ text: 'abc9 /S3' }, (run) => run.labels['commit'] === 'abc9' && run.scenario === 'GET /s3'],
      [{ scenario: 'GET /s3', text: '/' }, (run) => run.scenario === 'GET /s3'],
      [
        { from: '2024-01-05T00:00:00.000Z', to: '2024-01-07T00:00:00.000Z', range: { of: 'p99', min: 2, max: 5 } },
        (run) =>
          /^2024-01-0[56]/.test(run.orderedAt) && (run.figures.p99Ms ?? -1) >= 2 && (run.figures.p99Ms ?? 9) <= 5,
      ],
      [
        { scenario: 'GET /s1', range: { of: 'rps', min: 50 } },
        (run) => run.scenario === 'GET /s1' && (run.figures.requestsPerSecond ?? 0) >= 50,
      ],
    ]
    for (const sort of runSortKeys) {
      const page = { sort, direction: 'asc', limit: 200 } as const
      const order = (await listRuns(await toRead(projectId), {}, page)).rows
      for (const [filter, fits] of cases) {
        const wanted = new Set(all.filter(fits).map((run) => run.id))
        const found = (await listRuns(await toRead(projectId), filter, page)).rows.map((run) => run.id)
        const what = `${JSON.stringify(filter)} by ${sort}`
        expect(found, what).toEqual(order.filter((run) => wanted.has(run.id)).map((run) => run.id))
      }
    }
  })

  // On the embedded one, the migrations of earlier folders do it (tests/fault/earlier-folders).
  once('are created for runs that existed before them', async () => {
    const pool = databasePool()
    await pool.query(`DROP FUNCTION add_terms, remove_terms, change_terms, word_lists CASCADE`)
    await pool.query(
      `DROP FUNCTION terms_of, term_id, term_list; DROP TABLE term, run_term, term_change; CREATE TABLE run_label ();
       DROP INDEX ${['time', 'rps', 'p50', 'p99', 'max', 'errors'].map((key) => `run_scenario_${key}`).join()}`,
    )
    for (const migration of migrations) await pool.query(await readFile(migration, 'utf8'))
    await expectConsistent()
    expect((await getProject(localViewer, slug)).runCount).toBe(109)
  })
})
