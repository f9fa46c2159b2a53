import { z } from 'zod'
import { localViewer } from '@/lib/viewer'
import { databasePool } from '@/prisma/db'
import { createProject } from '@/prisma/queries/projects'
import { foldTermCounts } from '@/prisma/queries/sweeps'
import { saveImport } from '@/prisma/queries/uploads'
import { sampleFile, sampleImport } from '../queries/samples'
import { runsOf } from '../read-fixture'

/** Real output whose runs are multiplied. The last has HdrHistograms. */
const templates = [
  'hey-text/duration-and-interrupt.txt',
  'vegeta-json/attack-01-12.13.0.json',
  'wrk-text/latency.txt',
  'vegeta-gob/short.bin',
]
const batch = 20_000
/** A run every 90 s, whoever makes it. */
const secondsBetween = 90
/** Every n-th run has its histograms. */
const histogramEvery = 10

/** A filled database: the project with most of the runs, and what the queries look for in it. */
export interface FilledHistory {
  readonly projectId: string
  readonly slug: string
  readonly runCount: number
  readonly seconds: number
}

/**
 * Columns of a copied run, of template `t`, `n` the run's number and random numbers `r1` … `r4` in 0–1 and `g`, about
 * normal. Of 1,000,000 runs 750,000 are of the first project, which has 200 scenarios × 5 variants × 2 environments.
 */
const copied: Readonly<Record<string, string>> = {
  id: `substr(replace(gen_random_uuid()::text, '-', ''), 1, 26)`,
  project_id: 'project',
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
  p99_ms: 'CASE WHEN r2 < 0.95 THEN t.p99_ms * level * exp(g * 0.15) END',
  max_ms: 't.max_ms * level * exp(g * 0.3)',
  error_ratio: 'CASE WHEN r3 < 0.85 THEN 0 WHEN r3 < 0.97 THEN r4 * 0.02 END',
}

/** The project of an upload, as SQL: three of four are the first one's. */
const projectOf = (upload: string, projects: string) =>
  `(${projects}::text[])[CASE hashint8(${upload}) & 3 WHEN 0 THEN 2 + (hashint8(${upload}) >> 2 & 1023) % 20 ELSE 1 END]`

const shape = `
  SELECT n, project, at, r2, r3, r4, g, 0.5 + scenario_no % 37 / 10.0 AS level, template_no,
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
    SELECT n, now() - (($3::bigint - n) * ${secondsBetween}) * interval '1 second' AS at, floor(200 * random() ^ 2)::int AS scenario_no,
      floor($4::int * random())::int AS template_no, random() AS r1, random() AS r2, random() AS r3, random() AS r4,
      random() + random() + random() + random() - 2 AS g,
      ${projectOf('n / 4', '$5')} AS project
    FROM generate_series($1::bigint, $2::bigint - 1) AS n
  ) AS random_numbers`

/** Fills an empty, migrated database with `count` runs in 21 projects by SQL, and analyses it. */
export async function fillHistory(count: number, tell: (line: string) => void): Promise<FilledHistory> {
  const startedAt = performance.now()
  const pool = databasePool()
  const template = await createProject(localViewer, { slug: 'templates', name: 'Templates' })
  for (const fixture of templates) {
    const file = sampleFile((await runsOf({ fixture })).slice(0, 1))
    await saveImport(localViewer, sampleImport(template.id, file))
  }
  const projects: string[] = []
  for (let at = 1; at <= 21; at += 1) {
    projects.push((await createProject(localViewer, { slug: `project-${at}`, name: `Project ${at}` })).id)
  }
  // A connection of its own: those of the pool cut statements off after 30 s.
  const client = await pool.connect()
  await client.query('SET statement_timeout = 0')
  await client.query('ALTER TABLE run_term DROP CONSTRAINT run_term_pkey')
  const columns = z
    .array(z.object({ column_name: z.string() }))
    .parse((await client.query(`SELECT column_name FROM information_schema.columns WHERE table_name = 'run'`)).rows)
    .map((row) => row.column_name)
  const values = columns.map((name) => copied[name] ?? `t.${name}`)
  for (let from = 0; from < count; from += batch) {
    const to = Math.min(from + batch, count)
    await client.query(
      `INSERT INTO upload (id, project_id, state, name, size_bytes, kind, encoding, line_count, sent_sha256, stored_sha256, problems, cell_notes, given, created_at)
       SELECT 'up' || lpad(n::text, 24, '0'), ${projectOf('n', '$3')}, 'saved', 'bench-' || n || '.txt', 1234, 'text', 'utf-8', 40,
         encode(sha256(n::text::bytea), 'hex'), encode(sha256(n::text::bytea), 'hex'), '[]', '[]', '{}', now()
       FROM generate_series($1::bigint, $2::bigint) AS n ON CONFLICT DO NOTHING`,
      [from / 4, Math.ceil(to / 4), projects],
    )
    await client.query(
      `WITH template AS (SELECT row_number() OVER (ORDER BY id) - 1 AS no, run.* FROM run WHERE project_id = $6)
       INSERT INTO run (${columns.join(', ')})
       SELECT ${values.join(', ')} FROM (${shape}) AS shaped JOIN template AS t ON t.no = shaped.template_no`,
      [from, to, count, templates.length, projects, template.id],
    )
    if ((to / batch) % 5 === 0) tell(`${to} runs after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
  }
  await client.query(
    `INSERT INTO histogram (run_id, latency_index, project_id, buckets, v2, unit)
     SELECT run.id, h.latency_index, run.project_id, h.buckets, h.v2, h.unit
     FROM run JOIN (SELECT tool, form, histogram.* FROM histogram JOIN run ON run.id = run_id) AS h USING (tool, form)
     WHERE run.project_id <> $1 AND h.project_id = $1 AND hashtext(run.id) % $2 = 0`,
    [template.id, histogramEvery],
  )
  tell('making the key of run_term')
  await client.query(
    'ALTER TABLE run_term ADD CONSTRAINT run_term_pkey PRIMARY KEY (project_id, term_id, ordered_at, run_id)',
  )
  await client.query('TRUNCATE series_due')
  client.release(true)
  await foldTermCounts()
  await pool.query('VACUUM ANALYZE')
  const seconds = (performance.now() - startedAt) / 1_000
  return { projectId: projects[0] ?? '', slug: 'project-1', runCount: count, seconds }
}
