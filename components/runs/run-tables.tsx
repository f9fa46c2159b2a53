import { formatCount, formatMs, formatNumber, formatPercent, missing } from '@/lib/format'
import type { ImportedRun } from '@/lib/run'
import type { ShownFigure } from './run-figures'
import { SmallTable } from './small-table'

/** Every figure of the run: name, value, and the text that the tool printed. */
export function FiguresTable({ figures }: { figures: readonly ShownFigure[] }) {
  return (
    <SmallTable
      title="Figures"
      head={['Figure', 'Value', 'As printed']}
      rows={figures.map(({ id, label, text, printed, explain, title }) => ({
        key: id,
        name: label,
        title: `${explain} ${title}`,
        values: [text, printed ?? missing],
      }))}
    />
  )
}

/** Status codes, most frequent first. `0` is vegeta's "no response". */
export function StatusCodesTable({ run }: { run: ImportedRun }) {
  const codes = Object.entries(run.statusCodes).sort(([, a], [, b]) => b - a)
  const all = codes.reduce((sum, [, count]) => sum + count, 0)
  return (
    <SmallTable
      title="Status codes"
      head={['Code', 'Answers', 'Share']}
      rows={codes.map(([code, count]) => ({
        key: code,
        name: code === '0' ? '0 (no response)' : code,
        values: [formatCount(count), formatPercent(all === 0 ? null : count / all)],
      }))}
    />
  )
}

/** Error messages as the tool printed them. */
export function ErrorsTable({ run }: { run: ImportedRun }) {
  return (
    <SmallTable
      title="Errors"
      head={['Message', 'Count']}
      rows={run.errors.map(({ message, count }, index) => ({
        key: `${index}`,
        name: message,
        title: count === null ? `${run.tool} lists the message without a count` : undefined,
        values: [formatCount(count)],
      }))}
    />
  )
}

/** Where a request's time went, as hey tells it. */
export function PhasesTable({ run }: { run: ImportedRun }) {
  return (
    <SmallTable
      title="Phases of a request"
      head={['Phase', 'Average', 'Fastest', 'Slowest']}
      rows={run.phases.map(({ name, meanMs, minMs, maxMs }) => ({
        key: name,
        name,
        values: [formatMs(meanMs), formatMs(minMs), formatMs(maxMs)],
      }))}
    />
  )
}

/** Figures that belong to no other table, with the line they stand on. */
export function MeasuresTable({ run }: { run: ImportedRun }) {
  return (
    <SmallTable
      title="Other figures of the text"
      head={['Figure', 'Value']}
      rows={run.measures.map(({ name, value, unit, line }, index) => ({
        key: `${name}-${index}`,
        name: line === null ? name : <LineName name={name} line={line} />,
        values: [measureText(value, unit)],
      }))}
    />
  )
}

function measureText(value: number, unit: string | null): string {
  if (unit === 'ms') return formatMs(value)
  if (unit === 'ratio') return formatPercent(value)
  return unit === null ? formatNumber(value) : `${formatNumber(value)} ${unit}`
}

/** A name with a link to its line in the raw output. */
export function LineName({ name, line }: { name: string; line: number }) {
  return (
    <>
      {name}{' '}
      <a className="muted" href={`#L${line}`}>
        line {line}
      </a>
    </>
  )
}
