import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { environmentHistory } from '@/app/_server/environment-history'
import { readRunQuery } from '@/app/_server/http/run-query'
import { takeText } from '@/app/_server/uploads/take-text'
import { loadComparison } from '@/app/p/[project]/compare/load-comparison'
import { loadWhy } from '@/app/p/[project]/compare/load-why'
import { loadCapacity } from '@/app/p/[project]/matrix/load-capacity'
import { loadMatrix } from '@/app/p/[project]/matrix/load-matrix'
import { viewOf } from '@/components/compare/compare-view-state'
import { whyMarkdown } from '@/lib/explain/why-markdown'
import { writeSides } from '@/lib/judge/compare-url'
import { judgedStates } from '@/lib/run/judged-states'
import { defaultMetric, findMetric, metrics } from '@/lib/run/metrics'
import { toolSchema } from '@/lib/run/imported-run-schema'
import { alertStates, liveStates } from '@/lib/rules/stored-alerts'
import { InvalidInputError } from '@/lib/errors'
import { scopeAllows, type Viewer } from '@/lib/viewer'
import { getAlert, listAlerts } from '@/prisma/queries/alerts/alerts'
import { listProjectNames } from '@/prisma/queries/projects/frames'
import { grant, listProjects } from '@/prisma/queries/projects/projects'
import { getRun, listRuns } from '@/prisma/queries/runs/runs'
import { listEnvironments } from '@/prisma/queries/series/environments'
import { listSeries } from '@/prisma/queries/series/series'
import { getTrends } from '@/prisma/queries/series/trends'
import {
  alertAnswer,
  alertLine,
  answer,
  capacityAnswer,
  comparisonAnswer,
  matrixAnswer,
  projectLine,
  runAnswer,
  runLine,
  seriesLine,
  trendAnswer,
} from './answers'
import { environmentLine, environmentLines } from './environment-answers'
import { offerExperiments, offerToRun } from './experiment-tools'
import { project, readOnly, said, text } from './said'
import { offerSession, offerSessionSteps } from './session-tools'

const trendRuns = 200

/** Whether this viewer's tools may change anything: a token must allow it; a server without accounts has one person. */
const mayUpload = (viewer: Viewer): boolean =>
  viewer.kind === 'local' ||
  viewer.kind === 'member' ||
  (viewer.kind === 'token' && scopeAllows(viewer.scope, 'upload'))

/** Tailboard for agents: every answer is a judgement with its reasons and ids, at most about 2,000 tokens. */
export function makeMcpServer(viewer: Viewer, request: Request): McpServer {
  const server = new McpServer(
    { name: 'tailboard', version: '1' },
    {
      instructions:
        'Results of load tests, judged. Start with list_projects. Figures without a judgement are not to be compared by eye: use compare_runs or matrix. A missing figure was not printed by the tool: it is not zero.',
    },
  )
  const judged = [offerProjects, offerRuns, offerComparisons, offerCapacity, offerTrends]
  const kept = [offerEnvironments, offerAlerts, offerExperiments, offerSession]
  for (const register of [...judged, ...kept]) register(server, viewer)
  if (mayUpload(viewer)) {
    for (const register of [offerUpload, offerToRun, offerSessionSteps]) register(server, viewer, request)
  }
  return server
}

/** Where to begin: projects and their series. */
function offerProjects(server: McpServer, viewer: Viewer): void {
  server.registerTool(
    'list_projects',
    { description: 'Projects with runs, newest run and open alerts.', inputSchema: {}, annotations: readOnly },
    () =>
      said(async () => {
        const [projects, names] = await Promise.all([listProjects(viewer), listProjectNames(viewer)])
        return answer(
          projects.length === 0 ? ['No projects.'] : projects.map((one) => projectLine(one, names)),
          'ask for one by name',
        )
      }),
  )

  server.registerTool(
    'list_series',
    {
      description: 'Series of a project: runs of one scenario, variant and environment over time.',
      inputSchema: { project, scenario: text },
      annotations: readOnly,
    },
    ({ project: slug, scenario }) =>
      said(async () => {
        const own = await grant(viewer, { slug }, 'read')
        const series = await listSeries(own, scenario === undefined ? {} : { scenario })
        return answer(series.length === 0 ? ['No series.'] : series.map(seriesLine), 'name a scenario')
      }),
  )
}

/** Runs, and the judgement of one. */
function offerRuns(server: McpServer, viewer: Viewer): void {
  server.registerTool(
    'list_runs',
    {
      description:
        'Runs of a project, newest first or sorted by a figure, with figures and judgement. Narrow it by name, label, tool, state or words.',
      inputSchema: {
        project,
        ...{ scenario: text, variant: text, environment: text, text },
        label: text.describe('key=value'),
        tool: toolSchema.optional(),
        state: z.enum(judgedStates).optional(),
        sort: z.string().max(20).optional().describe('time (default), p99, p50, mean, rps, errors …'),
        direction: z.enum(['asc', 'desc']).optional(),
        limit: z.number().int().min(1).max(50).default(20),
        cursor: z.string().max(1_000).optional(),
      },
      annotations: readOnly,
    },
    ({ project: slug, ...asked }) =>
      said(async () => {
        const pairs = Object.entries(asked).flatMap(([key, value]) =>
          value === undefined ? [] : [[key, String(value)]],
        )
        const { filter, page } = readRunQuery(new URLSearchParams(pairs))
        const own = await grant(viewer, { slug }, 'read')
        const { rows, nextCursor } = await listRuns(own, filter, page)
        const lines = rows.length === 0 ? ['No runs.'] : rows.map(runLine)
        return answer(
          [...lines, nextCursor === null ? null : `More: cursor=${nextCursor}`],
          'narrow it, or lower limit',
        )
      }),
  )

  server.registerTool(
    'read_run',
    {
      description: 'A run: judgement, figures, what failed, how it was measured, and what to know before trusting it.',
      inputSchema: { project, run: z.string().max(40) },
      annotations: readOnly,
    },
    ({ project: slug, run }) =>
      said(async () => {
        const own = await grant(viewer, { slug }, 'read')
        return answer(runAnswer(await getRun(own, run)), 'the rest is on the run’s page')
      }),
  )
}

/** Runs beside each other. */
function offerComparisons(server: McpServer, viewer: Viewer): void {
  server.registerTool(
    'compare_runs',
    {
      description:
        'Sides against the first: which is better, by how much, how sure that is, and what else differs. A side is a run id, several ids joined by + (repeats), the id of the newest repeat with @repeats (it and all that it repeats, up to 200), or a name that stands for its newest run: gzip@latest, scenario:GET /ping@latest, commit:4f2a@latest.',
      inputSchema: { project, sides: z.array(z.string().min(1).max(1_200)).min(2).max(10) },
      annotations: readOnly,
    },
    ({ project: slug, sides }) =>
      said(async () => {
        const own = await grant(viewer, { slug }, 'read')
        const prepared = await loadComparison(own, writeSides(sides.map((side) => side.split('+'))), viewOf(''))
        return answer(comparisonAnswer(prepared), 'compare fewer sides')
      }),
  )

  server.registerTool(
    'explain_difference',
    {
      description:
        'What the difference of two sides stands with, from the rows of their requests: which target, status, time or connection holds it, how much of it, and when nothing that was recorded separates them. It says where the difference is, never its cause. Sides as in compare_runs; the runs need raw results.',
      inputSchema: { project, sides: z.array(z.string().min(1).max(1_200)).length(2) },
      annotations: readOnly,
    },
    ({ project: slug, sides }) =>
      said(async () => {
        const own = await grant(viewer, { slug }, 'read')
        const loaded = await loadWhy(own, writeSides(sides.map((side) => side.split('+'))))
        return answer([whyMarkdown(loaded.answer.report)], 'compare fewer runs')
      }),
  )

  server.registerTool(
    'matrix',
    {
      description:
        'Scenarios × variants of the newest commit or document (or of an upload, label or names): who leads, by what factor, what fails, what is missing.',
      inputSchema: {
        project,
        ...{ scenario: text, variant: text, environment: text, upload: text },
        label: text.describe('key=value'),
        metric: text.describe(`of ${metrics.map(({ id }) => id).join(', ')}`),
        base: text.describe('The column that others are compared with'),
        rows: text.describe('scenario, variant, environment, tool or label:<name>'),
        columns: text,
        of: z.enum(['all']).optional().describe('all: the newest run of each cell, of whatever date'),
      },
      annotations: readOnly,
    },
    ({ project: slug, ...asked }) =>
      said(async () => {
        const own = await grant(viewer, { slug }, 'read')
        const { prepared, chosen } = await loadMatrix(own, asked)
        return answer(
          prepared.runs.length === 0 ? ['No runs.'] : matrixAnswer(prepared, chosen.words),
          'name a metric or a scenario',
        )
      }),
  )
}

/** How much a system holds. */
function offerCapacity(server: McpServer, viewer: Viewer): void {
  server.registerTool(
    'capacity',
    {
      description:
        'How much a system holds within objectives, from runs at several loads: a bracket, the most likely place in it, what limits it, the load to run next.',
      inputSchema: {
        project,
        slo: text.describe('p99<100ms,success>99.9% (default: the limits of the project)'),
        target: z.number().positive().max(1e9).optional().describe('Requests per second, for a number of instances'),
        ...{ scenario: text, variant: text, environment: text, upload: text },
        label: text.describe('key=value'),
        of: z.enum(['all']).optional().describe('all: runs of whatever date'),
      },
      annotations: readOnly,
    },
    ({ project: slug, target, ...asked }) =>
      said(async () => {
        const own = await grant(viewer, { slug }, 'read')
        const { reports } = await loadCapacity(own, asked, { perSecond: target ?? null, price: null })
        return answer(reports.length === 0 ? ['No runs.'] : reports.flatMap(capacityAnswer), 'name a scenario')
      }),
  )
}

/** A series over time. */
function offerTrends(server: McpServer, viewer: Viewer): void {
  server.registerTool(
    'trend',
    {
      description:
        'A metric of a series over time: its level, what the next run should be, and its change points with runs and commits.',
      inputSchema: { project, series: z.string().max(40), metric: text },
      annotations: readOnly,
    },
    ({ project: slug, series, metric: name }) =>
      said(async () => {
        const own = await grant(viewer, { slug }, 'read')
        const metric = name === undefined ? defaultMetric : findMetric(name)
        if (metric === null)
          throw new InvalidInputError(`There is no metric ${name ?? ''}.`, {
            hint: metrics.map((one) => one.id).join(', '),
          })
        const trends = await getTrends(own, { seriesIds: [series], metrics: [metric], runs: trendRuns })
        return answer(
          (trends.get(metric) ?? []).flatMap((one) => trendAnswer(one, metric)),
          'its page has the rest',
        )
      }),
  )
}

/** The machines: when they moved by themselves, and what they can show. */
function offerEnvironments(server: McpServer, viewer: Viewer): void {
  server.registerTool(
    'list_environments',
    {
      description:
        'Environments of a project: which itself became slower or faster, when, and how many series and controls each has.',
      inputSchema: { project },
      annotations: readOnly,
    },
    ({ project: slug }) =>
      said(async () => {
        const environments = await listEnvironments(await grant(viewer, { slug }, 'read'))
        const lines = environments.length === 0 ? ['No run names its environment.'] : environments.map(environmentLine)
        return answer(lines, 'read one by name')
      }),
  )

  server.registerTool(
    'read_environment',
    {
      description:
        'An environment over time: when it moved, by what factor its series are slower each night, the smallest change it can show, attributes of the machine and its series.',
      inputSchema: { project, environment: z.string().min(1).max(300).describe('Name, from list_environments') },
      annotations: readOnly,
    },
    ({ project: slug, environment }) =>
      said(async () => {
        const own = await grant(viewer, { slug }, 'read')
        return answer(environmentLines(await environmentHistory(own, environment)), 'its page has the rest')
      }),
  )
}

/** What changed, and what was done about it. */
function offerAlerts(server: McpServer, viewer: Viewer): void {
  server.registerTool(
    'list_alerts',
    {
      description: 'Alerts of a project, newest first; those that are open or acknowledged unless states are named.',
      inputSchema: { project, states: z.array(z.enum(alertStates)).optional() },
      annotations: readOnly,
    },
    ({ project: slug, states }) =>
      said(async () => {
        const alerts = await listAlerts(await grant(viewer, { slug }, 'read'), states ?? liveStates)
        return answer(alerts.length === 0 ? ['No alerts.'] : alerts.map(alertLine), 'name states')
      }),
  )

  server.registerTool(
    'read_alert',
    {
      description: 'An alert: what changed, what that rests on, and what was done about it.',
      inputSchema: { project, alert: z.string().max(40) },
      annotations: readOnly,
    },
    ({ project: slug, alert }) =>
      said(async () => {
        const found = await getAlert(await grant(viewer, { slug }, 'read'), alert)
        return answer(alertAnswer(found), 'its page has the rest')
      }),
  )
}

/** Takes a file as a request of the viewer's own would send it. */
function offerUpload(server: McpServer, viewer: Viewer, request: Request): void {
  server.registerTool(
    'upload',
    {
      description:
        'Uploads what hey, vegeta, wrk, Lambda or another load generator printed, and responds with the addresses of its runs.',
      inputSchema: {
        project,
        name: z.string().min(1).max(255).describe('File name'),
        content: z.string().min(1).max(1_000_000),
        labels: z.array(z.string().max(301)).max(50).optional().describe('key=value'),
        run: z.string().max(200).optional().describe('Of an experiment, from next_experiment_run'),
      },
    },
    ({ project: slug, name, content, labels = [], run = '' }) =>
      said(async () => {
        const taken = await takeText(viewer, request, { slug, name, content, labels, place: run })
        return typeof taken === 'string' ? answer([taken], 'the upload’s page has the rest') : taken
      }),
  )
}
