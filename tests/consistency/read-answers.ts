import { z } from 'zod'
import { runAnswer, runRowAnswer } from '@/app/_server/answers/run-answers'
import { verdictAnswer } from '@/app/_server/answers/gate-answer'
import { alertAnswer } from '@/app/_server/answers/alert-answers'
import { comparisonDataSchema } from '@/lib/export/comparison-data'
import { formatMetric } from '@/lib/format'
import { writeSides } from '@/lib/judge/compare-url'
import { findingMark } from '@/lib/rules/alert-words'
import { sidesOfFinding } from '@/lib/rules/stored-alerts'
import { findMetric, metrics, metricsOf } from '@/lib/run/metrics'
import {
  againstFact,
  alertChangeFact,
  deltaFact,
  expectedFact,
  factKey,
  figureFact,
  headlineFact,
  sideFact,
  stateFact,
} from '@/lib/run/fact'
import { heldAgainst, type MetricJudgement } from '@/lib/run/judgement'
import { plain, said, type Seen, type SeenChange } from './rules/seen'

type Row = z.infer<typeof runRowAnswer>
type Run = z.infer<typeof runAnswer>

/** A run as in a list. */
export function factsOfRow(surface: string, row: Row): readonly Seen[] {
  const figures = metrics.map((metric) => said(surface, figureFact(row.id, metric, metric.read(row.figures))))
  return row.judged === null ? figures : [...figures, said(surface, stateFact(row.id, row.judged), 'state')]
}

/** A run with its judgement. */
export function factsOfRun(surface: string, run: Run): readonly Seen[] {
  const { judgement } = run
  if (judgement === null) return factsOfRow(surface, run)
  const judged = judgement.metrics.flatMap((one) => factsOfMetric(surface, run.id, one))
  return [...factsOfRow(surface, run), said(surface, stateFact(run.id, judgement), 'state'), ...judged]
}

/** The gate's verdict on an upload that contained this one run. */
export const factsOfGate = (surface: string, runId: string, { rows }: z.infer<typeof verdictAnswer>): readonly Seen[] =>
  rows.flatMap((row) =>
    row.kind === 'change-point' ? factsOfMetric(surface, runId, { ...row, metricId: row.metric }) : [],
  )

/** The judgement of one metric of a run. */
function factsOfMetric(surface: string, runId: string, one: MetricJudgement): readonly Seen[] {
  const metric = findMetric(one.metricId)
  const held = heldAgainst(one)
  if (metric === null) return []
  if (one.state === 'barred')
    return [{ ...said(surface, figureFact(runId, metric, null)), key: factKey('barred', runId, metric.id), value: {} }]
  if (held === null) return []
  const isShare = metric.unit === 'ratio' || held.level <= 0
  return [
    said(surface, expectedFact(runId, metric, held)),
    ...(isShare ? [] : [said(surface, againstFact(runId, metric, one.value, held.level))]),
  ]
}

/** An alert: its changes, and the runs that show each. */
export function readAlert(
  surface: string,
  { findings, ...alert }: z.infer<typeof alertAnswer>,
): { readonly facts: readonly Seen[]; readonly changes: readonly SeenChange[] } {
  const known = findings.flatMap((finding) => {
    const metric = findMetric(finding.metricId)
    return metric === null ? [] : [{ finding, metric }]
  })
  return {
    facts: known.map(({ finding, metric }) => {
      const { state } = findingMark(alert, finding)
      return said(
        surface,
        alertChangeFact(alert, metric, { ...finding, verdict: state === 'unusual' ? 'changed' : state }),
      )
    }),
    changes: known.flatMap(({ finding, metric }) =>
      metric.unit === 'ratio'
        ? []
        : [{ surface, sides: writeSides(sidesOfFinding(finding)), metricId: metric.id, effect: finding.effectRatio }],
    ),
  }
}

/** `data.json` of a comparison. */
export function factsOfComparison(surface: string, answer: z.infer<typeof comparisonDataSchema>): readonly Seen[] {
  const of = writeSides(answer.sides.map(({ runIds }) => runIds))
  const rows = answer.rows.flatMap((row) => {
    const metric = findMetric(row.metric)
    if (metric === null) return []
    return [
      said(surface, sideFact(of, 0, metric, row.baseValue)),
      ...row.deltas.flatMap((delta, at) => [
        said(surface, sideFact(of, at + 1, metric, delta.value)),
        said(surface, deltaFact(of, at + 1, metric, row.baseValue, delta)),
      ]),
    ]
  })
  return [said(surface, headlineFact('comparison', of, answer.sentence), 'sentence'), ...rows]
}

/** A list of runs as CSV, whose states and figures contain no line breaks or commas. */
export function factsOfCsv(surface: string, csv: string, rows: readonly Row[]): readonly Seen[] {
  const [head = '', ...lines] = csv.split(/\r?\n/)
  const names = head.split(',')
  return rows.flatMap((row) => {
    const cells = cellsOf(lines.find((line) => line.startsWith(`${row.id},`)) ?? '')
    return metrics.flatMap((metric) => {
      const at = names.indexOf(metric.key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
      const cell = at < 0 ? undefined : cells[at]
      if (cell === undefined) return []
      return [said(surface, figureFact(row.id, metric, cell === '' ? null : Number(cell)))]
    })
  })
}

/** The cells of a line; quoted ones whole. */
const cellsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)].map(([, cell = '']) => cell.replaceAll(/^"|"$/g, ''))

/** Lines in the MCP's list of runs: figures, state and sentence. */
export function factsOfLines(surface: string, text: string, rows: readonly Row[]): readonly Seen[] {
  return rows.flatMap((row) => {
    const line = text.split('\n').find((one) => one.startsWith(`- ${row.id} `))
    if (line === undefined) return []
    const figures = metricsOf('headline').flatMap((metric) => {
      const value = metric.read(row.figures)
      if (value === null) return []
      const words = plain(`${metric.shortLabel} ${formatMetric(value, metric.unit)}`)
      const own = words.slice(metric.shortLabel.length + 1)
      return [
        said(surface, figureFact(row.id, metric, value), 'value', plain(line).includes(words) ? own : 'missing 0'),
      ]
    })
    const [, state = '', sentence = ''] = / — ([\w-]+): (.*)$/.exec(line) ?? []
    const judged =
      row.judged === null ? [] : [{ ...said(surface, stateFact(row.id, row.judged)), value: { state, sentence } }]
    return [...figures, ...judged]
  })
}
