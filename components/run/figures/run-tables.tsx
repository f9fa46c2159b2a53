import { columnUnit, formatCount, formatInColumn, formatMs, formatNumber, formatPercent, missing } from '@/lib/format'
import { quantileMs } from '@/lib/run/figures'
import type { FieldSummary, ImportedRun, LambdaStats, Latency } from '@/lib/run/run'
import type { StoredRun } from '@/lib/history/stored-runs'
import { quantileName } from '@/lib/stats/quantile'
import { tools } from '@/lib/run/tools'
import { warmUpWords } from '../../charts/timeline'
import { chooseDistributions, distributionName } from './chart-view'
import { LineLink, type LineHref } from '../provenance/line-link'
import { steadyFigures } from './run-figures'
import { SmallTable, type SmallTableRow } from './small-table'

/** What the tool printed beside a run's figures, each kind in a table of its own; empty tables are left out. */
export function RunTables({ run, lineHref }: { readonly run: StoredRun; readonly lineHref: LineHref }) {
  const { imported } = run
  return (
    <>
      <SteadyTable run={run} />
      <DistributionsTable run={imported} />
      <LambdaTables lambda={imported.lambda} />
      <StatusCodesTable run={imported} />
      <ErrorsTable run={imported} />
      <PhasesTable run={imported} />
      <MeasuresTable run={imported} lineHref={lineHref} />
    </>
  )
}

/** Figures after the warm-up beside those of the whole run; nothing if no steady part is known. */
function SteadyTable({ run }: { run: StoredRun }) {
  const warmUp = run.imported.timeline?.warmUp ?? null
  if (warmUp === null || warmUp.endMs === null || warmUp.steady === null) return null
  const from = formatMs(warmUp.steady.fromMs)
  return (
    <SmallTable
      title={`After the warm-up of ${warmUpWords(warmUp.endMs)}`}
      head={['Figure', 'After warm-up', 'Whole run']}
      rows={steadyFigures(run).map(({ id, label, explain, steady, whole }) => ({
        key: id,
        name: label,
        title: explain,
        values: [steady, whole],
      }))}
      note={`Of requests that began ${from} or later after the first one: from the next whole bin of the timeline on. Counts, mean and served/s are exact; percentiles are within 1.6 %, from the histogram of those bins, failed requests too. Its verdict rests on the whole run.`}
    />
  )
}

/** Latencies of all requests, the successes and the failures side by side; nothing if the run has one distribution. */
function DistributionsTable({ run }: { run: ImportedRun }) {
  const shown = chooseDistributions(run).flatMap((of) => run.latencies.find((latency) => latency.of === of) ?? [])
  if (shown.length < 2) return null
  const quantiles = [...new Set(shown.flatMap((latency) => latency.quantiles.map(({ q }) => q)))].sort((a, b) => a - b)
  const unit = columnUnit(
    'ms',
    shown.map((latency) => latency.meanMs),
  )
  const row = (name: string, msOf: (latency: Latency) => number | null) => ({
    key: name,
    name,
    values: shown.map((latency) => formatInColumn(msOf(latency), 'ms', unit)),
  })
  return (
    <SmallTable
      title="Latency by outcome"
      head={[`Figure (${unit.label})`, ...shown.map((latency) => distributionName(latency.of))]}
      rows={[
        { key: 'count', name: 'Requests', values: shown.map((latency) => formatCount(latency.count)) },
        row('Mean', (latency) => latency.meanMs),
        row('Min', (latency) => latency.minMs),
        ...quantiles.map((q) => row(quantileName(q), (latency) => quantileMs(latency, q))),
        row('Max', (latency) => latency.maxMs),
      ]}
    />
  )
}

/** What Lambda's REPORT lines contain beside the duration; nothing for other tools. */
function LambdaTables({ lambda }: { lambda: LambdaStats | null }) {
  if (lambda === null) return null
  const { billedMs, initMs, restoreMs, billedRestoreMs, maxMemoryUsedMb } = lambda
  return (
    <>
      <SmallTable
        title="Lambda fields"
        head={['Field', 'Invocations', 'Min', 'Mean', 'Max', 'Sum']}
        rows={[
          field('Billed duration', billedMs, formatMs),
          field('Init duration', initMs, formatMs),
          field('Restore duration', restoreMs, formatMs),
          field('Billed restore duration', billedRestoreMs, formatMs),
          field('Max memory used', maxMemoryUsedMb, (mb) => `${formatNumber(mb)} MB`, false),
        ].filter((row) => row !== null)}
      />
      <SmallTable title="Invocations" head={['What', 'Invocations']} rows={invocationRows(lambda)} />
    </>
  )
}

function field(
  name: string,
  summary: FieldSummary | null,
  format: (value: number) => string,
  additive = true,
): SmallTableRow | null {
  if (summary === null) return null
  const { count, min, mean, max, sum } = summary
  return {
    key: name,
    name,
    values: [formatCount(count), format(min), format(mean), format(max), additive ? format(sum) : missing],
  }
}

function invocationRows(lambda: LambdaStats): readonly SmallTableRow[] {
  const row = (name: string, count: number | null): readonly SmallTableRow[] =>
    count === null ? [] : [{ key: name, name, values: [formatCount(count)] }]
  return [
    ...(lambda.functionName === null ? [] : row(`of ${lambda.functionName}`, lambda.invocations)),
    ...(lambda.functionName === null ? row('All', lambda.invocations) : []),
    ...row('Cold starts (with init duration)', lambda.coldStarts),
    ...Object.entries(lambda.statuses).flatMap(([status, count]) => row(`Status ${status}`, count)),
    ...Object.entries(lambda.errorTypes).flatMap(([type, count]) => row(`Error type ${type}`, count)),
    ...Object.entries(lambda.memorySizeMb).flatMap(([mb, count]) => row(`With ${mb} MB memory`, count)),
    ...row('Log streams (not invocations)', lambda.logStreams),
  ]
}

/** Status codes, most frequent first. `0` is vegeta's "no response". */
function StatusCodesTable({ run }: { run: ImportedRun }) {
  const codes = Object.entries(run.statusCodes).sort(([, a], [, b]) => b - a)
  const all = codes.reduce((sum, [, count]) => sum + count, 0)
  return (
    <SmallTable
      title="Status codes"
      head={['Code', 'Responses', 'Share']}
      rows={codes.map(([code, count]) => ({
        key: code,
        name: code === '0' ? '0 (no response)' : code,
        values: [formatCount(count), formatPercent(all === 0 ? null : count / all)],
      }))}
    />
  )
}

/** Error messages as the tool printed them. */
function ErrorsTable({ run }: { run: ImportedRun }) {
  return (
    <SmallTable
      title="Errors"
      head={['Message', 'Count']}
      rows={run.errors.map(({ message, count }, index) => ({
        key: `${index}`,
        name: message,
        title: count === null ? `${tools[run.tool].name} prints the message without a count` : undefined,
        values: [formatCount(count)],
      }))}
    />
  )
}

/** The phases of a request's time, as hey prints them or servers send them in headers: one unit for all. */
function PhasesTable({ run }: { run: ImportedRun }) {
  const all = run.phases.flatMap(({ meanMs, minMs, maxMs }) => [meanMs, minMs, maxMs])
  const areCounted = run.phases.some(({ count }) => count !== undefined)
  const unit = columnUnit(
    'ms',
    all.filter((value) => value !== 0),
  )
  const show = (ms: number | null) => formatInColumn(ms, 'ms', unit)
  return (
    <SmallTable
      title="Phases of a request"
      head={[
        'Phase',
        ...(areCounted ? ['Values'] : []),
        `Average ${unit.label}`,
        `Min ${unit.label}`,
        ...(areCounted ? [`p50 ${unit.label}`, `p99 ${unit.label}`] : []),
        `Max ${unit.label}`,
      ]}
      rows={run.phases.map(({ name, count = null, meanMs, minMs, maxMs, p50Ms = null, p99Ms = null }) => ({
        key: name,
        name,
        values: [
          ...(areCounted ? [formatCount(count)] : []),
          show(meanMs),
          show(minMs),
          ...(areCounted ? [show(p50Ms), show(p99Ms)] : []),
          show(maxMs),
        ],
      }))}
    />
  )
}

/** Figures that belong to no other table, with the line they are on. */
function MeasuresTable({ run, lineHref }: { run: ImportedRun; lineHref: LineHref }) {
  return (
    <SmallTable
      title="Other figures of the text"
      head={['Figure', 'Value']}
      rows={run.measures.map(({ name, value, unit, line }, index) => ({
        key: `${name}-${index}`,
        name:
          line === null ? (
            measureName(name)
          ) : (
            <>
              {measureName(name)} <LineLink line={line} lineHref={lineHref} />
            </>
          ),
        values: [measureText(value, unit)],
      }))}
    />
  )
}

/** `thread-requests-per-second-mean` as words. */
function measureName(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

function measureText(value: number, unit: string | null): string {
  if (unit === 'ms') return formatMs(value)
  if (unit === 'ratio') return formatPercent(value)
  const text = Number.isInteger(value) ? formatCount(value) : formatNumber(value)
  return unit === null ? text : `${text} ${unit}`
}
