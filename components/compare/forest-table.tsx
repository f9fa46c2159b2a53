import type { ReactNode } from 'react'
import { columnUnit, formatCompared, formatPercent, formatSpread, missing, type ColumnUnit } from '@/lib/format'
import { writtenSides, type Comparison } from '@/lib/judge/comparison'
import { intervalWords, type ComparisonRow, type Delta } from '@/lib/judge/delta'
import { deltaFact, sideFact, type Fact as FactOf } from '@/lib/run/fact'
import { restsOnFew } from '@/lib/stats/sampled-run'
import { fewRule } from '@/lib/stats/few-samples'
import { boundOf, defaultMetric } from '@/lib/run/metrics'
import type { StoredRun } from '@/lib/history/stored-runs'
import { prepareForest } from '../charts/forest'
import { ForestAxis, ForestDrawing, type ForestCell, type ForestScale } from '../charts/plot/rows/forest'
import { SideKey, SideMarker } from '../charts/plot/legend'
import { seriesStyle } from '../charts/plot/scale'
import { Fact } from '../facts/fact'
import { Arrow, To } from '../ui/arrow'
import {
  changeText,
  differenceText,
  judgementText,
  judgementWords,
  repeatsRule,
  windowSentence,
  wordRule,
} from './delta-words'
import { Missing } from './missing'
import { Term } from '../learn/term'
import styles from './forest-table.module.css'

interface Props {
  readonly comparison: Comparison<StoredRun>
  /** What distinguishes the sides, the base first. */
  readonly names: readonly string[]
  /** Shown beside the title. */
  readonly tools?: ReactNode
  /** Words link to their explanations. */
  readonly canLearn?: boolean
}

/** The size of each change: values, change, interval, a mark on one axis, and its verdict. */
export function ForestTable({ comparison, names, tools, canLearn = false }: Props) {
  const rows = orderedRows(comparison)
  const { scale, rows: cells, hasHollow } = prepareForest(rows)
  const window = windowSentence(comparison)
  const isPair = comparison.candidates.length === 1
  const hasIntervals = rows.some(({ deltas }) => deltas.some((delta) => intervalWords(delta) !== null))
  const columns = { hasIntervals, names, of: writtenSides(comparison) }
  const drawn = rows.map((row, at) => ({ row, cells: cells[at] ?? [], runs: comparison.sides, columns }))
  const sides = names.map((name, at) => (
    <>
      <SideKey style={seriesStyle(at)} /> {name}
    </>
  ))
  return (
    <>
      <div className={`row wrap text-13 below-4 ${styles.head}`}>
        <h2>Size of each change</h2>
        <span className="muted">{directionWords(names)}</span>
        <span className="row gap-8 push">{tools}</span>
      </div>
      {window !== null && <p className="muted">{window}</p>}
      <div className="relative" tabIndex={0} role="region" aria-label="Size of each change">
        <table className={`plain-table ${styles.table} ${isPair ? '' : styles.many}`}>
          <SizeHead
            first={isPair ? 'Metric' : 'Side'}
            values={isPair ? sides : ['Value']}
            hasIntervals={hasIntervals}
            scale={scale}
          />
          {isPair ? (
            <tbody>
              {drawn.map((one) => (
                <PairRow key={one.row.metric.id} {...one} />
              ))}
            </tbody>
          ) : (
            drawn.map((one) =>
              isQuiet(one.row) ? (
                <QuietRow key={one.row.metric.id} {...one} />
              ) : (
                <SideRows key={one.row.metric.id} {...one} />
              ),
            )
          )}
        </table>
      </div>
      <p className={`muted ${styles.note}`}>
        <Note rows={rows} hasHollow={hasHollow} canLearn={canLearn} />
      </p>
      <details className={styles.rule}>
        <summary>How to read</summary>
        <p className="muted flush">
          {wordRule}
          {comparison.sides.some((side) => side.length > 1) && `; ${repeatsRule}`}.
        </p>
      </details>
    </>
  )
}

interface HeadProps {
  /** What a row is. */
  readonly first: string
  readonly values: readonly ReactNode[]
  readonly hasIntervals: boolean
  readonly scale: ForestScale
}

/** The head of a table of sizes: what was changed, its values, the change, and the axis of the marks. */
export function SizeHead({ first, values, hasIntervals, scale }: HeadProps) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {values.map((value, at) => (
          <th key={at} scope="col" className={`num ${styles.wide}`}>
            {value}
          </th>
        ))}
        <th scope="col" className="num">
          Change
        </th>
        {hasIntervals && (
          <th scope="col" className={`num ${styles.wide}`}>
            95&nbsp;% interval
          </th>
        )}
        <th scope="col" className={styles.axis}>
          <span className="visually-hidden">Times better</span>
          <span className={`flex between wide-only ${styles.ways}`} aria-hidden="true">
            <span>worse</span>
            <span>better</span>
          </span>
          <ForestAxis scale={scale} />
        </th>
        <th scope="col" className={styles.wide}>
          Judgement
        </th>
      </tr>
    </thead>
  )
}

interface ChangeProps {
  readonly fact: FactOf
  /** A change in percentage points: its fact has no effect. */
  readonly isShare: boolean
  readonly text: string
  readonly title?: string
  readonly tone: 'better' | 'worse' | 'muted'
  /** The judgement below the change, on narrow screens. */
  readonly short: ReactNode
  /** Null: the table has no such column. */
  readonly interval: string | null
  /** Undefined: nothing is drawn. */
  readonly cell: ForestCell | undefined
  /** The judgement. */
  readonly children: ReactNode
}

/** One change: percent, interval, mark and judgement. */
export function ChangeCells({ fact, isShare, text, title, tone, short, interval, cell, children }: ChangeProps) {
  return (
    <>
      <Fact
        of={fact}
        part={isShare ? 'points' : 'effect'}
        as="td"
        className={`num ${tone === 'muted' ? '' : tone}`}
        title={title}
      >
        {text}
        <small>{short}</small>
      </Fact>
      {interval !== null && (
        <Fact of={fact} part="interval" as="td" className={`num muted ${styles.wide}`}>
          {interval}
        </Fact>
      )}
      <td className={styles.axis}>{cell && <ForestDrawing cell={cell} />}</td>
      <td className={`${styles.wide} ${styles.judgement} ${tone}`}>{children}</td>
    </>
  )
}

/** First the served requests, then the failed ones, everything else in its own order. */
function orderedRows({ rows, perInstance, candidates }: Comparison<StoredRun>): readonly ComparisonRow[] {
  const ofIds = (ids: readonly string[]) => rows.filter(({ metric }) => ids.includes(metric.id))
  const served = ofIds(['throughput', 'requests-per-second']).toReversed()
  const failed = ofIds(['success-ratio', 'error-ratio', 'error-count'])
  const others = rows.filter((row) => !served.includes(row) && !failed.includes(row))
  const ordered = [...served, ...(perInstance === null ? [] : [perInstance]), ...failed, ...others]
  if (candidates.length < 2) return ordered
  // A group of rows per metric; those in which no side differs come last, in one row.
  const differing = ordered.filter((row) => !isQuiet(row))
  // The metric of the sentence above leads.
  const leading = differing.filter(({ metric }) => metric.id === defaultMetric.id)
  return [...leading, ...differing.filter((row) => !leading.includes(row)), ...ordered.filter(isQuiet)]
}

/** Whether no side differs. */
const isQuiet = ({ metric, deltas }: ComparisonRow): boolean =>
  deltas.every((delta) => ['equal', 'same', 'nothing failed'].includes(judgementWords(delta, metric).word))

const directionWords = (names: readonly string[]): string =>
  names.length === 2 ? `right: ${names[1]} is better` : `right: better than ${names[0] ?? ''}`

/** The meaning of the marks present. */
function Note({
  rows,
  hasHollow,
  canLearn,
}: {
  readonly rows: readonly ComparisonRow[]
  readonly hasHollow: boolean
  readonly canLearn: boolean
}) {
  const margins = rows.flatMap(({ metric, deltas: all }) =>
    metric.unit === 'ratio' ? [] : all.flatMap(({ marginRatio }) => marginRatio ?? []),
  )
  const [least, most] = [Math.min(...margins), Math.max(...margins)]
  const zone = `±${least === most ? '' : `${formatPercent(least).replace(/\s?%$/, '')}–`}${formatPercent(most)}`
  return (
    <>
      {hasHollow && 'Hollow: one run each. '}
      {margins.length > 0 && (
        <>
          {canLearn ? <Term of="equivalence">Grey zone</Term> : 'Grey zone'}: too small to matter{' '}
          <span className="nowrap">({zone}).</span>
        </>
      )}
    </>
  )
}

interface Columns {
  readonly hasIntervals: boolean
  readonly names: readonly string[]
  /** The compared sides, as in an address. */
  readonly of: string
}

interface RowProps {
  readonly row: ComparisonRow
  readonly cells: readonly ForestCell[]
  /** Of each side. */
  readonly runs: readonly (readonly StoredRun[])[]
  readonly columns: Columns
}

/** A metric of two sides. */
function PairRow({ row, cells, runs, columns }: RowProps) {
  const [base, value] = sidesOf(row, runs)
  const [delta] = row.deltas
  if (!base || !value || !delta) return null
  return (
    <tr>
      <th scope="row" title={row.metric.explain}>
        <MetricName row={row} />
        <small>
          {(base.text ?? base.reason) === (value.text ?? value.reason) ? (
            <Value of={base} />
          ) : (
            <>
              <Value of={base} /> <To /> <Value of={value} />
            </>
          )}
        </small>
      </th>
      <ValueCell of={base} row={row} side={0} columns={columns} />
      <ValueCell of={value} row={row} side={1} columns={columns} />
      <Judged delta={delta} row={row} side={1} cell={cells[0]} columns={columns} />
    </tr>
  )
}

/** A metric of many sides: a row each, the base first, so that the verdicts stay in sight. */
function SideRows({ row, cells, runs, columns }: RowProps) {
  const { hasIntervals, names } = columns
  return (
    <tbody>
      <tr className={styles.metric}>
        <th scope="rowgroup" title={row.metric.explain} colSpan={hasIntervals ? 6 : 5}>
          <MetricName row={row} />
        </th>
      </tr>
      {sidesOf(row, runs).map((value, side) => {
        const delta = row.deltas[side - 1]
        return (
          <tr key={side}>
            <th scope="row">
              <SideMarker style={seriesStyle(side)} /> {names[side]}
              <small>
                <Value of={value} />
              </small>
            </th>
            <ValueCell of={value} row={row} side={side} columns={columns} />
            {delta === undefined ? (
              <>
                <td className="num muted">base</td>
                {hasIntervals && <td className={styles.wide} />}
                <td className={styles.axis}>
                  <ForestDrawing cell={{ zone: cells[0]?.zone ?? null, mark: null }} />
                </td>
                <td className={styles.wide} />
              </>
            ) : (
              <Judged delta={delta} row={row} side={side} cell={cells[side - 1]} columns={columns} />
            )}
          </tr>
        )
      })}
    </tbody>
  )
}

/** A metric of many sides, none of which differs: their range in one row. */
function QuietRow({ row, cells, runs, columns: { hasIntervals } }: RowProps) {
  const known = sidesOf(row, runs).flatMap(({ text, value }) =>
    value === null || text === null ? [] : [{ text, value }],
  )
  const sorted = known.toSorted((a, b) => a.value - b.value).map(({ text }) => text)
  const range = [...new Set([sorted[0] ?? missing, sorted.at(-1) ?? missing])].join('–')
  const [words, ...more] = [...new Set(row.deltas.map((delta) => judgementText(delta, row.metric)))]
  const judged = words === undefined || more.length > 0 ? 'no side differs' : words
  return (
    <tbody className={styles.quiet}>
      <tr>
        <th scope="row" title={row.metric.explain}>
          <MetricName row={row} />
          <small>{range}</small>
        </th>
        <td className={`num ${styles.wide}`}>{range}</td>
        <td className="num muted">
          {missing}
          <small>{judged}</small>
        </td>
        {hasIntervals && <td className={styles.wide} />}
        <td className={styles.axis}>
          <ForestDrawing cell={{ zone: cells[0]?.zone ?? null, mark: null }} />
        </td>
        <td className={`muted ${styles.wide} ${styles.judgement}`}>{judged}</td>
      </tr>
    </tbody>
  )
}

interface SideValue {
  /** Null: there is none, see `reason`. */
  readonly text: string | null
  readonly value: number | null
  readonly reason: string | null
  /** It is a percentile that rests on few samples. */
  readonly isFew: boolean
  /** Distance of the farthest run from the median; null: one run. */
  readonly spreadRatio: number | null
}

/** The values of a metric, the base first. */
function sidesOf(row: ComparisonRow, runs: RowProps['runs']): readonly SideValue[] {
  const { metric, baseValue: value, baseSpreadRatio: spreadRatio, baseReason: reason, deltas } = row
  const sides = [{ value, spreadRatio, reason }, ...deltas]
  const changes = [null, ...deltas.map(({ changeRatio }) => changeRatio)]
  const texts = formatCompared(
    sides.map((side) => side.value),
    changes,
    metric.unit,
    unitOf(row),
  )
  return sides.map(({ value, spreadRatio, reason }, side) => ({
    text: value === null ? null : boundOf(runs[side]?.[0], metric, value) + (texts[side] ?? missing),
    value,
    reason,
    isFew: value !== null && restsOnFew(metric, runs[side] ?? []),
    spreadRatio,
  }))
}

function Value({ of: { text, reason, isFew } }: { of: SideValue }) {
  if (text === null) return <Missing reason={reason ?? 'unknown'} />
  return isFew ? (
    <span data-few title={fewRule}>
      {text}
    </span>
  ) : (
    text
  )
}

function ValueCell({ of, row, side, columns }: { of: SideValue; row: ComparisonRow; side: number; columns: Columns }) {
  return (
    <Fact of={sideFact(columns.of, side, row.metric, of.value)} as="td" className={`num ${styles.wide}`}>
      <Value of={of} />
      {of.spreadRatio !== null && <span className="muted text-12 regular"> {formatSpread(of.spreadRatio)}</span>}
    </Fact>
  )
}

interface JudgedProps {
  readonly delta: Delta
  readonly row: ComparisonRow
  readonly side: number
  readonly cell: ForestCell | undefined
  readonly columns: Columns
}

function Judged({ delta, row, side, cell, columns: { hasIntervals, of } }: JudgedProps) {
  const { metric, baseValue } = row
  const { word, arrow, tone, basis, more } = judgementWords(delta, metric)
  const mark = arrow !== null && (
    <>
      <Arrow to={arrow} />{' '}
    </>
  )
  return (
    <ChangeCells
      fact={deltaFact(of, side, metric, baseValue, { ...delta, word })}
      isShare={delta.changeRatio === null || metric.unit === 'ratio'}
      text={delta.absolute === 0 ? missing : changeText(delta, metric)}
      title={differenceText(delta, metric, unitOf(row))}
      tone={tone}
      short={
        word !== missing && (
          <>
            {mark}
            {word}
          </>
        )
      }
      interval={hasIntervals ? (intervalWords(delta) ?? missing) : null}
      cell={cell}
    >
      {word === missing ? (
        <Missing reason={delta.reason ?? 'unknown'} />
      ) : (
        <>
          {mark}
          {basis === '' ? word : `${word}, ${basis}`}
        </>
      )}
      {more !== null && <span className={styles.more}>{more}</span>}
    </ChangeCells>
  )
}

const unitOf = ({ metric, baseValue, deltas }: ComparisonRow): ColumnUnit =>
  columnUnit(metric.unit, [baseValue, ...deltas.map((delta) => delta.value)])

/** Longer names would wrap on a phone. */
const longestName = 24

function MetricName({ row }: { row: ComparisonRow }) {
  const { metric } = row
  const { label } = unitOf(row)
  return (
    <>
      {metric.label.length > longestName ? metric.shortLabel : metric.label}
      {label !== '' && metric.unit !== 'per-second' && <span className="muted">, {label}</span>}
    </>
  )
}
