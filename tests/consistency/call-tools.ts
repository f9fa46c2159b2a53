import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { z } from 'zod'
import { defaultMetric } from '@/lib/run/metrics'
import { factKey, headlineFact } from '@/lib/run/fact'
import { writeSides } from '@/lib/judge/compare-url'
import { factsOfLines } from './read-answers'
import { factsOfLine, factsOfReport } from './read-experiments'
import { partsOf, said, type Seen } from './rules/seen'
import type { experimentAnswer } from '@/app/_server/answers/experiment-answer'
import type { runRowAnswer } from '@/app/_server/answers/run-answers'

const textSchema = z.object({ content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]) })

/** What was collected from a project before agents are queried. */
interface Known {
  readonly rows: readonly z.infer<typeof runRowAnswer>[]
  readonly alerts: readonly { readonly id: string; readonly state: string }[]
  /** Sides of comparisons whose pages were opened. */
  readonly comparisons: readonly (readonly (readonly string[])[])[]
  readonly facts: readonly Seen[]
  readonly experiment: z.infer<typeof experimentAnswer>
}

/** Most things of each kind that agents are queried for. */
const most = 3

/** What the tools for agents say about a project. */
export async function askAgents(origin: string, slug: string, known: Known) {
  const client = new Client({ name: 'consistency', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin)))
  const facts: Seen[] = []
  let asked = 0
  const ask = async (name: string, args: Record<string, unknown> = { project: slug }): Promise<string> => {
    asked += 1
    return textSchema.parse(await client.callTool({ name, arguments: args })).content[0].text
  }
  const count = (tool: string, what: string, value: number) =>
    facts.push(said(`mcp ${tool}`, { key: factKey('count', slug, what), value: { value } }))
  try {
    facts.push(...factsOfLines('mcp list_runs', await ask('list_runs', { project: slug, limit: 50 }), known.rows))
    // With a hundred projects, some are left out.
    const line = (await ask('list_projects', {})).split('\n').find((one) => one.startsWith(`- ${slug}:`))
    if (line !== undefined) {
      count('list_projects', 'alerts', Number(/(\d+) open alert/.exec(line)?.[1] ?? NaN))
      count('list_projects', 'runs', Number(/, (\d+) runs?,/.exec(line)?.[1] ?? NaN))
    }
    const listed = await ask('list_alerts')
    count('list_alerts', 'alerts', listed === 'No alerts.' ? 0 : listed.split('\n').length)
    facts.push(headlineOf('mcp matrix', 'matrix', `/p/${slug}/matrix`, (await ask('matrix')).split('\n')[0]))
    const { experiment } = known
    facts.push(...factsOfLine('mcp list_experiments', experiment, await ask('list_experiments')))
    const report = await ask('read_experiment', { project: slug, experiment: experiment.id })
    facts.push(...factsOfReport('mcp read_experiment', experiment, report))
    for (const { id } of known.alerts.slice(0, most)) {
      const answer = await ask('read_alert', { project: slug, alert: id })
      facts.push(headlineOf('mcp read_alert', 'alert', id, answer.split('\n')[2]))
    }
    for (const sides of known.comparisons.slice(0, most)) {
      const answer = await ask('compare_runs', { project: slug, sides: sides.map((side) => side.join('+')) })
      facts.push(headlineOf('mcp compare_runs', 'comparison', writeSides(sides), answer.split('\n')[0]))
      if (sides.length < 2) continue
      const two = sides.slice(0, 2)
      const why = await ask('explain_difference', { project: slug, sides: two.map((side) => side.join('+')) })
      const [first = ''] = why.split('\n')
      facts.push(headlineOf('mcp explain_difference', 'why', writeSides(two), first.replaceAll(/[*\\]/g, '')))
    }
    for (const seriesId of new Set(known.rows.map((row) => row.seriesId))) {
      const answer = await ask('trend', { project: slug, series: seriesId, metric: defaultMetric.id })
      facts.push(...changesOf(`mcp trend ${seriesId}`, answer, seriesId, known.facts))
    }
  } finally {
    await client.close()
  }
  return { facts, asked }
}

const headlineOf = (surface: string, kind: string, id: string, sentence = ''): Seen =>
  said(surface, headlineFact(kind, id, sentence.replace(/\.$/, '')), 'sentence')

/** Changes in the lines of a trend, next to those that pages show for the series. */
function changesOf(surface: string, answer: string, seriesId: string, facts: readonly Seen[]): readonly Seen[] {
  const shown = new Map(
    facts.flatMap((one) => {
      const [kind, series, , metricId, run = ''] = partsOf(one.key)
      const isOwn = kind === 'change' && series === seriesId && metricId === defaultMetric.id
      return isOwn ? [[run, one] as const] : []
    }),
  )
  const lines = [...answer.matchAll(/^- [^:\n]+: (.+) → (.+) at run (\S+?),/gm)]
  const key = factKey('count', seriesId, `changes of ${defaultMetric.id}`)
  return [
    said(surface, { key, value: { value: lines.length } }),
    said('pages', { key, value: { value: shown.size } }),
    ...lines.flatMap(([, before = '', after = '', run = '']): readonly Seen[] => {
      const own = shown.get(run)
      if (own === undefined) return []
      return [said(surface, own, 'before', before), said(surface, own, 'after', after)]
    }),
  ]
}
