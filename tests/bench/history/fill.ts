import type pg from 'pg'
import { judgementVersion, type RunJudgement } from '@/lib/run/judgement'
import { localViewer } from '@/lib/viewer'
import { databasePool } from '@/prisma/db'
import { createProject } from '@/prisma/queries/projects/projects'
import { waitPatiently } from '@/prisma/silent-connections'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { sampleFile, sampleImport } from '../../queries/samples'
import { runsOf } from '../../read-fixture'

/** Real output whose runs are multiplied. The last has HdrHistograms. */
const templates = [
  'hey-text/duration-and-interrupt.txt',
  'vegeta-json/attack-01-12.13.0.json',
  'wrk-text/latency.txt',
  'vegeta-gob/short.bin',
]
/** One run every 90 s across all series. */
const secondsBetween = 90
/** Every n-th run has its histograms. */
const histogramEvery = 10

/** How runs are spread over projects. A big project has 200 scenarios × 5 variants × 2 environments. */
export interface Spread {
  readonly projects: number
  /** The first of the projects, which share `bigShare` of the runs equally; the others share the rest. */
  readonly big: number
  readonly bigShare: number
  /** Scenarios of each other project. */
  readonly fewScenarios: number
}

/** One project of three in four runs, and twenty others. */
export const oneBig: Spread = { projects: 21, big: 1, bigShare: 0.75, fewScenarios: 200 }
/** Two projects of a fifth of the runs each, and 398 small ones. */
export const manyProjects: Spread = { projects: 400, big: 2, bigShare: 0.4, fewScenarios: 20 }

/**
 * Columns of a copied run, from template `t`, with the run's number `n`, random numbers `r1` … `r4` in 0–1 and a
 * roughly normal `g`. Of runs older than 30 days, nine in ten have nothing imported and a judgement without its metrics,
 * which no list reads: those would triple the size of the table.
 */
const isWhole = `(n % 10 = 0 OR at > now() - interval '30 days')`
const copied: Readonly<Record<string, string>> = {
  id: `substr(replace(gen_random_uuid()::text, '-', ''), 1, 26)`,
  project_id: 'project',
  series_id: 'series.id',
  upload_id: `'up' || lpad((n / 4)::text, 24, '0')`,
  index_in_upload: '(n % 4)::int',
  scenario: 'shaped.scenario',
  variant: 'shaped.variant',
  environment: 'shaped.environment',
  labels: 'shaped.labels',
  started_at: 'at',
  uploaded_at: `at + interval '1 minute'`,
  ordered_at: 'at',
  created_at: 'at',
  deleted_at: 'null::timestamptz',
  search_text: `lower(concat_ws(E'\\n', shaped.scenario, shaped.variant, shaped.environment, 'commit=' || (shaped.labels->>'commit'),
    'version=' || (shaped.labels->>'version'), 'branch=' || (shaped.labels->>'branch'), 'tag=' || (shaped.labels->>'tag'),
    t.tool, 'bench-' || (n / 4) || '.txt', coalesce(t.imported->>'command', t.imported->>'url')))`,
  requests_per_second: 't.requests_per_second * level / exp(g * 0.05)',
  min_ms: 't.min_ms * level * exp(g * 0.05)',
  mean_ms: 't.mean_ms * level * exp(g * 0.06)',
  p50_ms: 't.p50_ms * level * exp(g * 0.05)',
  p90_ms: 't.p90_ms * level * exp(g * 0.08)',
  p95_ms: 't.p95_ms * level * exp(g * 0.1)',
  // Failing runs have none.
  p99_ms: 'CASE WHEN r2 < 0.95 AND abs(hashint8(n)) % 100 <> 0 THEN t.p99_ms * level * exp(g * 0.15) END',
  max_ms: 't.max_ms * level * exp(g * 0.3)',
  judged_state: `(ARRAY['failing','unusual','unusual','unusual','worse','worse','worse','worse','better','no-history','as-expected'])
    [least(11, 1 + abs(hashint8(n)) % 100)]`,
  judged_sentence: `'p99 126 ms, expected 107 ms to 133 ms by 59 runs before.'`,
  imported: `CASE WHEN ${isWhole} THEN t.imported ELSE '{}' END`,
  judgement: `CASE WHEN ${isWhole} THEN '${JSON.stringify(sampleJudgement())}'::jsonb ELSE '${JSON.stringify({ ...sampleJudgement(), metrics: [] })}'::jsonb END`,
  judgement_basis: `'${judgementVersion}'`,
  error_ratio: 'CASE WHEN r3 < 0.85 THEN 0 WHEN r3 < 0.97 THEN r4 * 0.02 END',
}

/** As long as those of real runs. */
function sampleJudgement(): RunJudgement {
  const metric = (metricId: string): RunJudgement['metrics'][number] => ({
    ...{
      metricId,
      state: 'as-expected',
      side: null,
      value: 126.123456789,
      level: 119.987654321,
      outside: 0,
      before: 59,
    },
    ...{
      expectedLow: 107.123456789,
      expectedHigh: 133.123456789,
      noiseRatio: 0.0281234567,
      change: null,
      current: null,
    },
    ...{ effectRatio: 0.051234567, effectLowRatio: -0.0123456789, effectHighRatio: 0.11234567 },
  })
  const metrics = ['requests-per-second', 'mean', 'p50', 'p95', 'p99', 'error-ratio'].map(metric)
  const sentence = 'p99 126 ms, expected 107 ms to 133 ms by 59 runs before.'
  const own = {
    version: judgementVersion,
    state: 'as-expected',
    metricId: 'p99',
    sentence,
    runs: 1,
    judgedBy: 'whole',
  } as const
  return { ...own, failedRatio: 0, failedCount: 0, guards: [], metrics }
}

/** The place of an upload's project in the list of them, as SQL. */
function projectNo(upload: string, { projects, big, bigShare }: Spread): string {
  const share = `(hashint8(${upload}) & 1023)`
  const other = `(hashint8(${upload}) >> 10 & 65535)`
  return `CASE WHEN ${share} < ${1024 * bigShare} THEN 1 + ${other} % ${big} ELSE ${big + 1} + ${other} % ${projects - big} END`
}

const shape = (spread: Spread) => `
  INSERT INTO shaped SELECT n, project, at, r2, r3, r4, g, 0.5 + scenario_no % 37 / 10.0 AS level, template_no,
    CASE scenario_no % 4 WHEN 0 THEN 'GET' WHEN 1 THEN 'POST' WHEN 2 THEN 'PUT' ELSE 'DELETE' END || ' /api/'
      || (ARRAY['orders','users','items','carts','search','login','report','image','price','stock'])[1 + scenario_no % 10]
      || '/' || scenario_no AS scenario,
    (ARRAY['main build','candidate','arm64','zlib','gzip'])[1 + (r1 * 4.999)::int % 5] AS variant,
    (ARRAY['c6i.large eu-west-1','c6g.large eu-west-1'])[1 + (r4 * 1.999)::int % 2] AS environment,
    jsonb_strip_nulls(jsonb_build_object('commit', substr(md5((n / 8)::text), 1, 10),
      'version', 'v1.' || (n / 4000) || '.' || (n / 400) % 10,
      'branch', CASE WHEN r3 < 0.8 THEN 'main' ELSE 'feature-' || (r2 * 40)::int END,
      'tag', CASE WHEN n % 20000 = 17 THEN 'canary' WHEN r1 < 0.3 THEN 'nightly' END)) AS labels
  FROM (
    SELECT n, now() - (($1::bigint - n) * ${secondsBetween}) * interval '1 second' AS at,
      floor(CASE WHEN project_no <= ${spread.big} THEN 200 ELSE ${spread.fewScenarios} END * random() ^ 2)::int AS scenario_no,
      floor($2::int * random())::int AS template_no, random() AS r1, random() AS r2, random() AS r3, random() AS r4,
      random() + random() + random() + random() - 2 AS g,
      ($3::text[])[project_no] AS project
    FROM generate_series(0, $1::bigint - 1) AS n, LATERAL (SELECT ${projectNo('n / 4', spread)} AS project_no) AS placed
  ) AS random_numbers`

/** What triggers would have added, one run after the other: an hour for a million runs. */
const laterSteps: readonly (readonly [string, string])[] = [
  [
    'histograms',
    `INSERT INTO histogram (run_id, latency_index, project_id, buckets, v2, unit)
     SELECT run.id, h.latency_index, run.project_id, h.buckets, h.v2, h.unit
     FROM run JOIN (SELECT tool, form, histogram.* FROM histogram JOIN run ON run.id = run_id) AS h USING (tool, form)
     WHERE run.project_id <> h.project_id AND hashtext(run.id) % ${histogramEvery} = 0`,
  ],
  [
    'terms',
    `CREATE TEMPORARY TABLE counted AS SELECT project_id, kind, key, value, count(*) AS runs
     FROM run, terms_of(tool, scenario, variant, environment, labels, search_text) GROUP BY 1, 2, 3, 4`,
  ],
  ['terms', 'TRUNCATE term, term_change, run_term'],
  ['terms', 'INSERT INTO term SELECT project_id, term_id(kind, key, value), kind, key, value, runs FROM counted'],
  [
    'lists of terms',
    `INSERT INTO run_term SELECT term_list(project_id, kind, key, value), ordered_at, id
     FROM run, terms_of(tool, scenario, variant, environment, labels, '') WHERE kind IN ('tool', 'variant', 'environment', 'label')`,
  ],
]

/** Runs that one statement inserts: sorting more of them takes as much disk as they do. */
const insertedAtOnce = 500_000

/** Inserts the shaped runs and their series, in order of their numbers. */
async function insertRuns(client: pg.ClientBase, count: number): Promise<void> {
  await client.query(
    `INSERT INTO series (id, project_id, scenario, variant, environment)
     SELECT substr(replace(gen_random_uuid()::text, '-', ''), 1, 26), * FROM (SELECT DISTINCT project, scenario, variant, environment FROM shaped) AS s`,
  )
  await client.query(
    'CREATE TEMPORARY TABLE template AS SELECT row_number() OVER (ORDER BY id) - 1 AS no, run.* FROM run',
  )
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'run'`,
  )
  const columns = rows.map(({ name }) => name)
  for (let from = 0; from < count; from += insertedAtOnce) {
    await client.query(
      `INSERT INTO run (${columns.join(', ')}) SELECT ${columns.map((name) => copied[name] ?? `t.${name}`).join(', ')}
       FROM shaped JOIN template AS t ON t.no = shaped.template_no
       JOIN series ON series.project_id = project AND series.scenario = shaped.scenario AND series.variant = shaped.variant AND series.environment = shaped.environment
       WHERE n >= $1::bigint AND n < $2::bigint ORDER BY n`,
      [from, from + insertedAtOnce],
    )
  }
  await client.query('DROP TABLE template, shaped')
}

/** Drops indices and keys that no other table needs; returns the statements that recreate them. */
async function dropIndices(client: pg.ClientBase, tables: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ drop: string; make: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
     FROM pg_constraint AS c WHERE conrelid::regclass::text = ANY($1) AND contype IN ('p', 'u')
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE confrelid = c.conrelid)
     UNION ALL SELECT format('DROP INDEX %I', indexname), indexdef FROM pg_indexes
     WHERE tablename = ANY($1) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conname = indexname)`,
    [tables],
  )
  for (const { drop } of rows) await client.query(drop)
  return rows.map((row) => row.make)
}

/** Fills an empty, migrated database with `count` runs of `project-1` and others by SQL, and analyses it. */
export async function fillHistory(
  count: number,
  tell: (line: string) => void,
  spread = oneBig,
): Promise<{ readonly seconds: number }> {
  const startedAt = performance.now()
  const told = (what: string) => tell(`${what} after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
  const template = await createProject(localViewer, { slug: 'templates', name: 'Templates' })
  for (const fixture of templates) {
    const file = sampleFile((await runsOf({ fixture })).slice(0, 1))
    await saveImport(localViewer, sampleImport(template.id, file))
  }
  const projects: string[] = []
  for (let at = 1; at <= spread.projects; at += 1) {
    projects.push((await createProject(localViewer, { slug: `project-${at}`, name: `Project ${at}` })).id)
  }
  // Statements of the pool end after 30 s, and silent connections after 32 s. Its role disables triggers and keys.
  const client = await databasePool().connect()
  waitPatiently(client)
  await client.query(
    `SET statement_timeout = 0; SET session_replication_role = replica; SET work_mem = '512MB'; SET maintenance_work_mem = '1GB'`,
  )
  const indices = await dropIndices(client, ['run', 'run_term', 'upload', 'histogram', 'term'])
  await client.query(
    `CREATE TEMPORARY TABLE shaped (n bigint, project text, at timestamptz(3), r2 float8, r3 float8, r4 float8, g float8, level float8,
       template_no int, scenario text, variant text, environment text, labels jsonb)`,
  )
  await client.query(shape(spread), [count, templates.length, projects])
  await client.query(
    `INSERT INTO upload (id, project_id, state, name, size_bytes, kind, encoding, line_count, sent_sha256, stored_sha256, problems, cell_notes, given, created_at)
     SELECT 'up' || lpad(n::text, 24, '0'), ($2::text[])[${projectNo('n', spread)}], 'saved', 'bench-' || n || '.txt', 1234, 'text', 'utf-8', 40,
       encode(sha256(n::text::bytea), 'hex'), encode(sha256(n::text::bytea), 'hex'), '[]', '[]', '{}', now()
     FROM generate_series(0, ($1::bigint - 1) / 4) AS n`,
    [count, projects],
  )
  told('uploads')
  await insertRuns(client, count)
  told('runs')
  for (const [what, sql] of laterSteps) {
    await client.query(sql)
    told(what)
  }
  for (const make of indices) await client.query(make)
  told(`${indices.length} indices`)
  await client.query('TRUNCATE series_due')
  await client.query('DROP TABLE counted')
  await client.query('VACUUM ANALYZE')
  client.release(true)
  return { seconds: (performance.now() - startedAt) / 1_000 }
}
