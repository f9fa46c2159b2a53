import { escapeMarkup } from '@/lib/escape'
import { columnUnit, formatCompared, formatSet, missing } from '@/lib/format'
import type { ComparisonData } from '@/lib/export/comparison-data'
import { toCsv } from '@/lib/export/csv'
import type { WordedTable } from '@/lib/export/markdown-table'
import { decidingWords } from '@/lib/judge/delta'
import { findingsOf } from '@/lib/judge/findings'
import { isNamedAfterWarmUp } from '@/lib/judge/steady-window'
import { objective } from '@/lib/run/limits'
import { boundOf, type Metric } from '@/lib/run/metrics'
import { costRows, priceWords } from '../compare/cost-rows'
import { changeText, judgementText, judgementWords } from '../compare/delta-words'
import { preparePercentiles, type PreparedPercentiles } from '../charts/percentiles'
import { onLogScale, type Plot } from '../charts/plot/model'
import { preparePlaceInLevels } from '../run/figures/expected-charts'
import { comparisonFace } from './share-face'
import type { PreparedComparison } from '../compare/prepare-comparison'

/** The table of changes: metric, the base's value, and for each candidate its value, the change and the verdict. */
export function wordTable({ comparison, names }: PreparedComparison): WordedTable {
  const candidates = comparison.candidates.map((_, at) => names[at + 1] ?? '')
  const head = [
    'Metric',
    `${names[0] ?? ''}${candidates.length > 0 ? ' (base)' : ''}`,
    ...candidates.flatMap((name) => [name, 'Change', 'Verdict']),
  ]
  const rows = comparison.rows.map(({ metric, baseValue, deltas }) => {
    const unit = columnUnit(metric.unit, [baseValue, ...deltas.map((delta) => delta.value)])
    const values = [baseValue, ...deltas.map(({ value }) => value)]
    const texts = formatCompared(values, [null, ...deltas.map(({ changeRatio }) => changeRatio)], metric.unit, unit)
    const show = (side: number) =>
      boundOf(comparison.sides[side]?.[0], metric, values[side] ?? null) + (texts[side] ?? missing)
    return [
      unit.label === '' || metric.label.endsWith('per second') ? metric.label : `${metric.label}, ${unit.label}`,
      show(0),
      ...deltas.flatMap((delta, at) => [show(at + 1), changeText(delta, metric), judgementText(delta, metric)]),
    ]
  })
  return { head, rows }
}

/** A table as HTML, in a region of its own that scrolls. */
export function tableMarkup({ head, rows }: WordedTable, label: string): string {
  const top = head.map((text) => `<th scope="col">${escapeMarkup(text)}</th>`).join('')
  const body = rows.map(
    ([first = '', ...cells]) =>
      `<tr><th scope="row">${escapeMarkup(first)}</th>${cells.map((text) => `<td>${escapeMarkup(text)}</td>`).join('')}</tr>`,
  )
  return (
    `<div class="wide" tabindex="0" role="region" aria-label="${escapeMarkup(label)}"><table><thead><tr>${top}</tr></thead>` +
    `<tbody>${body.join('\n')}</tbody></table></div>`
  )
}

/** A metric's id in files: after the warm-up it is different from that of the whole run. */
const fileId = (metric: Metric): string => (isNamedAfterWarmUp(metric) ? `${metric.id}-after-warm-up` : metric.id)

/**
 * Every figure unrounded, one row per metric and side; for repeats, their median. `bound`: `>=` if a timeout cut it.
 */
export function comparisonCsv({ sides, names, comparison }: PreparedComparison): string {
  const idsOf = (at: number) => (sides[at] ?? []).map((run) => run.id).join(' ')
  const head = [
    'metric',
    'unit',
    'runs',
    'name',
    'role',
    'value',
    'change_ratio',
    'low_ratio',
    'high_ratio',
    'verdict',
    'why',
    'bound',
  ]
  const bounded = (at: number, metric: Metric, value: number | null) =>
    boundOf(sides[at]?.[0], metric, value) === '' ? null : '>='
  const rows = comparison.rows.flatMap(({ metric, baseValue, deltas }) => [
    [
      fileId(metric),
      metric.unit,
      idsOf(0),
      names[0] ?? '',
      'base',
      baseValue,
      null,
      null,
      null,
      null,
      null,
      bounded(0, metric, baseValue),
    ],
    ...deltas.map((delta, at) => [
      fileId(metric),
      metric.unit,
      idsOf(at + 1),
      names[at + 1] ?? '',
      'candidate',
      delta.value,
      delta.changeRatio,
      delta.lowRatio,
      delta.highRatio,
      judgementWords(delta, metric).word,
      delta.reason ?? decidingWords(delta) ?? (judgementWords(delta, metric).basis || null),
      bounded(at + 1, metric, delta.value),
    ]),
  ])
  return toCsv([head, ...rows])
}

/** The comparison as JSON: runs, verdict, every figure unrounded, differences, notes. */
export function comparisonJson(prepared: PreparedComparison): string {
  const { runs, sides, names, runNames, comparison, differences, view } = prepared
  const cost = costTable(prepared)
  const { sentence, caution } = comparisonFace(prepared)
  const data: ComparisonData = {
    sentence,
    caution,
    runs: runs.map((run, at) => ({
      id: run.id,
      name: runNames[at] ?? '',
      scenario: run.scenario,
      variant: run.variant,
      environment: run.environment,
      labels: run.labels,
      tool: run.tool,
      load: run.load,
      startedAt: run.startedAt,
      command: run.imported.command,
      figures: run.figures,
      findings: findingsOf(run.imported).map(({ id, severity, sentence }) => ({ id, severity, sentence })),
    })),
    sides: sides.map((side, at) => ({ name: names[at] ?? '', runIds: side.map((run) => run.id) })),
    rows: comparison.rows.map(({ metric, baseValue, deltas }) => ({
      metric: fileId(metric),
      unit: metric.unit,
      baseValue,
      deltas: deltas.map((delta) => {
        const { value, absolute, changeRatio, lowRatio, highRatio, verdict, reason, method, p, rounds, moreRounds } =
          delta
        const { marginRatio, warnings, orderBoundRatio } = delta
        const { word } = judgementWords(delta, metric)
        const judged = { method, p, lowRatio, highRatio, marginRatio, rounds, moreRounds, warnings, orderBoundRatio }
        return { value, absolute, changeRatio, verdict, word, reason, ...judged }
      }),
    })),
    differences,
    sloMs: view.sloMs,
    cost: cost && {
      sides: names,
      rows: cost.rows.map(([label = '', ...cells]) => ({ label, cells })),
      prices: cost.foot,
    },
  }
  return `${JSON.stringify(data, null, 2)}\n`
}

/** The percentile plot of all runs; null when none has a percentile. */
export const percentilesOf = ({ plotted, view }: PreparedComparison): PreparedPercentiles | null =>
  preparePercentiles(plotted, objective(view.sloMs), view.y)

/** The same on the scale that the page shows first. */
export function plotOf(prepared: PreparedComparison): Plot | null {
  const plot = percentilesOf(prepared)?.plot ?? null
  return plot?.isLogFirst ? onLogScale(plot) : plot
}

/** What shows the verdict in a picture: a judged run in its levels, all else by percentile. */
export function evidencePlotOf(prepared: PreparedComparison): Plot | null {
  const [[run], ...others] = prepared.sides
  return (others.length === 0 ? preparePlaceInLevels(run)?.plot : null) ?? plotOf(prepared)
}

/**
 * The cost of each side with the view's inputs, in words; null when no side has a figure. `foot` empty: it uses no
 * price.
 */
export function costTable({
  sides,
  names,
  view,
}: PreparedComparison): (WordedTable & { readonly foot: string }) | null {
  const firsts = sides.map(([run]) => run)
  const rows = costRows(firsts, view.cost)
  if (rows.length === 0) return null
  const foot = priceWords(firsts, view.cost) ?? ''
  return { head: ['Metric', ...names], rows: rows.map(({ label, cells }) => [label, ...cells]), foot }
}

/** The limit in the plot, as a sentence; null: none was set. */
export function limitSentence({ view }: PreparedComparison): string | null {
  return view.sloMs === null ? null : `The limit (SLO) is ${formatSet(view.sloMs, 'ms')}.`
}
