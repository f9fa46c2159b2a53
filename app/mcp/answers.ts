import type { CapacityReport } from '@/lib/capacity/capacity-report'
import type { PreparedComparison } from '@/components/compare/prepare-comparison'
import type { PreparedMatrix } from '@/components/matrix/prepare-matrix'
import { runName } from '@/components/runs/run-name'
import { limitSentence, wordTable } from '@/components/shared/comparison-files'
import { matrixTable } from '@/components/shared/matrix-files'
import { differenceWords } from '@/lib/judge/comparability'
import { markdownTable } from '@/lib/export/markdown-table'
import { formatCount, formatDay, formatMetric, formatPercent, formatTime, plural } from '@/lib/format'
import { changeWord, isExcused } from '@/lib/levels/change'
import type { SeriesTrends } from '@/lib/levels/trend'
import { findingsOf } from '@/lib/judge/findings'
import { measurementMethodOf } from '@/lib/judge/measurement-method'
import { columnSentence } from '@/lib/matrix/matrix-words'
import { instancesByColumn } from '@/lib/matrix/attributes'
import { alertBasis, alertSentence, alertTitle, seriesWords, stateWord, stepWord } from '@/lib/rules/alert-words'
import type { AlertRow, StoredAlert } from '@/lib/rules/stored-alerts'
import { failureKinds } from '@/lib/run/figures'
import { metricsOf, type Metric } from '@/lib/run/metrics'
import type { ProjectName, ProjectSummary } from '@/lib/project/stored-projects'
import type { RunRow, StoredRun } from '@/lib/history/stored-runs'
import type { SeriesSummary } from '@/lib/history/stored-series'
import { tools } from '@/lib/run/tools'

/** About 2,000 tokens: as much as a model reads of one call. */
const maxCharacters = 7_000

/** Lines as one text, cut at a line; states what was left out, and how to get it. */
export function answer(lines: readonly (string | null)[], more: string): string {
  const kept: string[] = []
  let length = 0
  // Pages keep numbers and units together; here a space is a plain space.
  const all = lines.filter((line) => line !== null).flatMap((line) => line.replace(/[\u00a0\u202f]/g, ' ').split('\n'))
  for (const line of all) {
    length += line.length + 1
    if (length > maxCharacters)
      return [...kept, `(${plural(all.length - kept.length, 'line')} left out: ${more})`].join('\n')
    kept.push(line)
  }
  return kept.join('\n')
}

export const projectLine = (
  { slug, name, runCount, latestRunAt }: ProjectSummary,
  names: readonly ProjectName[],
): string => {
  const open = names.find((one) => one.slug === slug)?.openAlerts ?? 0
  const latest = latestRunAt === null ? 'no run yet' : `newest ${formatTime(latestRunAt)}`
  return `- ${slug}: “${name}”, ${plural(runCount, 'run')}, ${latest}, ${plural(open, 'open alert')}`
}

const listed = metricsOf('headline')

/** A run in a line: id, when, what, its figures and its judgement. */
export function runLine(run: RunRow): string {
  const figures = listed.flatMap((metric) => {
    const value = metric.read(run.figures)
    return value === null ? [] : [`${metric.shortLabel} ${formatMetric(value, metric.unit)}`]
  })
  const { errorRatio } = run.figures
  const failed = errorRatio ? [`${formatPercent(errorRatio)} failed`] : []
  const said = run.judged === null ? '' : ` — ${run.judged.state}: ${run.judged.sentence}`
  const names = [runName(run), run.environment].filter((name) => name !== null).join(', ')
  return `- ${run.id} · ${formatTime(run.orderedAt)} · ${tools[run.tool].name} · ${names} · ${[...figures, ...failed].join(', ')}${said}`
}

export const seriesLine = ({ id, scenario, variant, environment }: SeriesSummary): string =>
  `- ${id} · ${[scenario, variant, environment].filter((name) => name !== null).join(' · ')}`

/** A run: its judgement, what it measured, what failed, and how it was measured. */
export function runAnswer(run: StoredRun): readonly (string | null)[] {
  const { judgement, imported, labels } = run
  const figures = listed.concat(metricsOf('comparison')).filter((metric, at, all) => all.indexOf(metric) === at)
  const method = measurementMethodOf(imported)
  const failures = failureKinds(imported)
  return [
    `# ${runName(run)}`,
    `id ${run.id}, ${formatTime(run.orderedAt)}, ${tools[run.tool].name}${run.environment === null ? '' : `, ${run.environment}`}`,
    `From ${run.upload.name}, lines ${imported.context.lines.join('–')}.${imported.complete ? '' : ' The output is truncated: this is what could be read.'}`,
    imported.command === null ? null : `Command: ${imported.command}`,
    judgement === null ? 'Judgement: not judged yet.' : `Judgement: ${judgement.state}. ${judgement.sentence}`,
    Object.keys(labels).length === 0
      ? null
      : `Labels: ${Object.entries(labels)
          .map(([key, value]) => `${key}=${value}`)
          .join(', ')}`,
    '## Figures',
    ...figures.flatMap((metric) => {
      const value = metric.read(run.figures)
      return value === null ? [] : [`- ${metric.label}: ${formatMetric(value, metric.unit)}`]
    }),
    `- Requests: ${formatCount(imported.requests)}`,
    ...(failures.length === 0
      ? []
      : ['## Failed', ...failures.slice(0, 10).map(({ words, count }) => `- ${formatCount(count)} × ${words}`)]),
    ...(imported.errors.length === 0
      ? []
      : [
          '## Errors',
          ...imported.errors
            .slice(0, 10)
            .map(
              ({ message, count }) => `- ${count === null ? '' : `${formatCount(count)} × `}${message.slice(0, 200)}`,
            ),
        ]),
    '## How measured',
    `${method.loop}, ${method.rate}; failures: ${method.errors}; percentiles: ${method.quantiles}; resolution: ${method.resolution}; ${method.coordinatedOmission}`,
    '## What to know before trusting it',
    ...findingsOf(imported)
      .slice(0, 10)
      .map(({ severity, sentence }) => `- ${severity}: ${sentence}`),
    run.notes === '' ? null : `## Notes\n${run.notes.slice(0, 1_000)}`,
  ]
}

/** Sides against the first: the sentence, how sure it is, the table, and what else differs. */
export function comparisonAnswer(prepared: PreparedComparison): readonly (string | null)[] {
  const { comparison, differences } = prepared
  return [
    `${comparison.sentence}.`,
    comparison.caution,
    limitSentence(prepared),
    '',
    markdownTable(wordTable(prepared)),
    ...(differences.length === 0
      ? []
      : ['What else differs:', ...differences.map((difference) => `- ${differenceWords(difference)}`)]),
  ]
}

/** A matrix: what fails and what leads, a sentence per column, and a table per metric. */
export function matrixAnswer(
  { matrix, metrics, sentence, verdict, caution, attributes }: PreparedMatrix,
  period: string,
): readonly (string | null)[] {
  const instancesOf = instancesByColumn(attributes, matrix)
  const columns = matrix.columns.flatMap((column) => {
    const said = columnSentence(matrix, column, instancesOf)
    return said === null ? [] : [`- ${column}: ${said}`]
  })
  return [
    `${verdict}.`,
    caution === null ? null : `${caution}.`,
    `${sentence} (${period})`,
    ...columns,
    ...metrics.slice(0, 4).flatMap((metric) => {
      const { title, head, rows } = matrixTable(matrix, metric)
      return ['', title, markdownTable({ head, rows })]
    }),
  ]
}

/** How much a group of runs holds: the sentence, its levels, and what to know of it. */
export function capacityAnswer({ title, sentence, heads, rows, notes }: CapacityReport): readonly (string | null)[] {
  return [
    title === '' ? null : `## ${title}`,
    `${sentence}.`,
    ...notes.map((note) => `${note}.`),
    rows.length === 0 ? null : markdownTable({ head: heads, rows }),
  ]
}

/** A metric of a series over time, by load profile: its levels, what changed between them, and its newest points. */
export function trendAnswer({ series, trends }: SeriesTrends, metric: Metric): readonly (string | null)[] {
  const show = (value: number | null) => formatMetric(value, metric.unit)
  return [
    `# ${seriesWords(series)}: ${metric.label}`,
    trends.length === 0 ? 'No run of it counts in its series.' : null,
    ...trends.flatMap(({ profile, points, changes, level, noiseRatio, drift }) => [
      `## ${profile.name}: ${plural(points.length, 'point')}`,
      level === null
        ? 'Too few figures for a level.'
        : `Level now ${show(level.value)}; the next run is as expected from ${show(level.low)} to ${show(level.high)}.`,
      noiseRatio === null ? null : `Noise ±${formatPercent(noiseRatio)} of one run.`,
      changes.length === 0 ? 'No change point.' : null,
      ...changes.map((change) => {
        const { before, after, afterRunId, at } = change
        const point = points[at]
        const commit = isExcused(change.origin) ? undefined : point?.labels['commit']
        return `- ${changeWord(change)}: ${show(before)} → ${show(after)} at run ${afterRunId}${point === undefined ? '' : `, ${formatTime(point.orderedAt)}`}${commit === undefined ? '' : `, commit ${commit}`}`
      }),
      drift === null ? null : 'It has drifted slowly since.',
      `Newest: ${points
        .slice(-10)
        .map(({ value, orderedAt }) => `${formatDay(orderedAt)} ${show(value)}`)
        .join(', ')}`,
    ]),
  ]
}

export const alertLine = (alert: AlertRow): string =>
  `- ${alert.id} · ${stateWord(alert.state)} · since ${formatTime(alert.openedAt)} · ${alertTitle(alert)}`

/** An alert: what it reports, the evidence, and what was done about it. */
export function alertAnswer(alert: StoredAlert): readonly (string | null)[] {
  return [
    `# ${alertTitle(alert)}`,
    `id ${alert.id}, ${stateWord(alert.state)}, opened ${formatTime(alert.openedAt)}`,
    `${alertSentence(alert)}.`,
    alertBasis(alert),
    '## History',
    ...alert.steps.map(
      ({ at, what, who, note }) =>
        `- ${formatTime(at)} ${stepWord(what)} (${who})${note === '' ? '' : `: ${note.slice(0, 300)}`}`,
    ),
  ]
}
