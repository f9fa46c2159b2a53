import { columnUnit, formatCount, formatInColumn, formatMs, formatNumber, formatPercent, missing } from '@/lib/format'
import type { ImportedRun } from '@/lib/run/run'
import type { StoredRun } from '@/lib/run/stored'
import type { ReactNode } from 'react'
import { LambdaTables } from './lambda-tables'
import { LineLink, type LineHref } from './line-link'
import { warmUpWords } from '../charts/timeline'
import { allFigures, steadyFigures, type ShownFigure } from './run-figures'
import { SmallTable } from './small-table'

interface RunTablesProps {
  readonly run: StoredRun
  readonly lineHref: LineHref
  /** Stands below the figures. */
  readonly children?: ReactNode
}

/** What the tool printed of a run, each kind in a table of its own; a table without rows is not there. */
export function RunTables({ run, lineHref, children }: RunTablesProps) {
  const { imported } = run
  return (
    <>
      <FiguresTable figures={allFigures(run)} />
      <SteadyTable run={run} />
      {children}
      <LambdaTables lambda={imported.lambda} />
      <StatusCodesTable run={imported} />
      <ErrorsTable run={imported} />
      <PhasesTable run={imported} />
      <MeasuresTable run={imported} lineHref={lineHref} />
    </>
  )
}

/** Every figure of the run: name, value, and the text that the tool printed, where it printed any. */
function FiguresTable({ figures }: { figures: readonly ShownFigure[] }) {
  const isPrinted = figures.some(({ printed }) => printed !== null)
  return (
    <SmallTable
      title="Figures"
      head={isPrinted ? ['Figure', 'Value', 'As printed'] : ['Figure', 'Value']}
      rows={figures.map(({ id, label, text, printed, explain, title }) => ({
        key: id,
        name: label,
        title: `${explain} ${title}`,
        values: isPrinted ? [text, printed ?? missing] : [text],
      }))}
    />
  )
}

/** What was measured after the warm-up, beside the whole run; nothing where no such part is known. */
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
        title: count === null ? `${run.tool} prints the message without a count` : undefined,
        values: [formatCount(count)],
      }))}
    />
  )
}

/** Where a request's time went, as hey prints it: one unit for all. */
function PhasesTable({ run }: { run: ImportedRun }) {
  const all = run.phases.flatMap(({ meanMs, minMs, maxMs }) => [meanMs, minMs, maxMs])
  const unit = columnUnit(
    'ms',
    all.filter((value) => value !== 0),
  )
  const show = (ms: number | null) => formatInColumn(ms, 'ms', unit)
  return (
    <SmallTable
      title="Phases of a request"
      head={['Phase', `Average ${unit.label}`, `Min ${unit.label}`, `Max ${unit.label}`]}
      rows={run.phases.map(({ name, meanMs, minMs, maxMs }) => ({
        key: name,
        name,
        values: [show(meanMs), show(minMs), show(maxMs)],
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
