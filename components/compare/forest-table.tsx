import type { ReactNode } from 'react'
import { columnUnit, formatInColumn, formatPercent, missing, type ColumnUnit } from '@/lib/format'
import { writtenSides, type Comparison } from '@/lib/judge/comparison'
import { intervalWords, type ComparisonRow, type Delta } from '@/lib/judge/delta'
import { deltaFact, sideFact } from '@/lib/run/fact'
import { boundOf, defaultMetric, type Metric } from '@/lib/run/metrics'
import type { StoredRun } from '@/lib/run/stored'
import { prepareForest } from '../charts/forest'
import { ForestAxis, forestMarkup, type ForestCell, type ForestScale } from '../charts/plot/forest'
import { keyMarkup, SideKey } from '../charts/plot/legend'
import { seriesStyle } from '../charts/plot/scale'
import { arrowMarkup, toMarkup } from '../ui/arrow'
import { factAttributes } from '../facts/fact-attributes'
import { RenderedMarkup, element, joined, words, type Attributes, type Markup } from '../ui/markup'
import { changeText, differenceText, judgementWords, repeatsRule, windowSentence, wordRule } from './delta-words'
import { missingMarkup } from './missing'
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
  const forest = prepareForest(rows)
  const window = windowSentence(comparison)
  const isPair = comparison.candidates.length === 1
  const hasIntervals = rows.some(({ deltas }) => deltas.some((delta) => intervalWords(delta) !== null))
  const columns = {
    ...{ hasIntervals, isPair, scale: forest.scale, names },
    ...{ firsts: comparison.sides.map(([run]) => run), of: writtenSides(comparison) },
  }
  const body = rows.map((row, at) => (isPair ? pairRow : groupOfRows)(row, forest.rows[at] ?? [], columns))
  return (
    <>
      <div className={styles.head}>
        <h2>Size of each change</h2>
        <span className="muted">{directionWords(names)}</span>
        <span className={styles.tools}>{tools}</span>
      </div>
      {window !== null && <p className="muted">{window}</p>}
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Size of each change">
        <table className={`${styles.table} ${isPair ? '' : styles.many}`}>
          <thead>
            <tr>
              <th scope="col">{isPair ? 'Metric' : 'Side'}</th>
              {isPair ? (
                names.map((name, at) => (
                  <th key={at} scope="col" className={`num ${styles.wide}`}>
                    <SideKey style={seriesStyle(at)} /> {name}
                  </th>
                ))
              ) : (
                <th scope="col" className={`num ${styles.wide}`}>
                  Value
                </th>
              )}
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
                <span className={styles.ways} aria-hidden="true">
                  <span>worse</span>
                  <span>better</span>
                </span>
                <ForestAxis scale={forest.scale} />
              </th>
              <th scope="col" className={styles.wide}>
                Judgement
              </th>
            </tr>
          </thead>
          {isPair ? (
            <RenderedMarkup as="tbody" markup={joined(...body)} />
          ) : (
            body.map((markup, at) => <RenderedMarkup key={at} as="tbody" markup={markup} />)
          )}
        </table>
      </div>
      <p className={`muted ${styles.note}`}>
        <Note rows={rows} hasHollow={forest.hasHollow} canLearn={canLearn} />
      </p>
      <details className={styles.rule}>
        <summary>How to read</summary>
        <p className="muted">
          {wordRule}
          {comparison.sides.some((side) => side.length > 1) && `; ${repeatsRule}`}.
        </p>
      </details>
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
  // A group of rows per metric: those in which no side differs come last.
  const isQuiet = ({ metric, deltas }: ComparisonRow) =>
    deltas.every((delta) => ['equal', 'same', 'nothing failed'].includes(judgementWords(delta, metric).word))
  const differing = ordered.filter((row) => !isQuiet(row))
  // The metric of the sentence above leads.
  const leading = differing.filter(({ metric }) => metric.id === defaultMetric.id)
  return [...leading, ...differing.filter((row) => !leading.includes(row)), ...ordered.filter(isQuiet)]
}

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
  const zone = least === most ? `±${formatPercent(least)}` : `±${formatPercent(least)} to ±${formatPercent(most)}`
  return (
    <>
      {hasHollow && 'Hollow: one run each. '}
      {margins.length > 0 && (
        <>
          {canLearn ? <Term of="equivalence">Grey zone</Term> : 'Grey zone'}: too small to matter ({zone}).
        </>
      )}
    </>
  )
}

interface Columns {
  readonly hasIntervals: boolean
  readonly isPair: boolean
  readonly scale: ForestScale
  readonly names: readonly string[]
  /** The first run of each side. */
  readonly firsts: readonly StoredRun[]
  /** The compared sides, as in an address. */
  readonly of: string
}

const cell = (className: string, inner: Markup, more: Attributes = {}): Markup =>
  element('td', { class: className, ...more }, inner)

/** A metric of two sides. As text: none of it ever changes. */
function pairRow(row: ComparisonRow, cells: readonly ForestCell[], columns: Columns): Markup {
  const { metric, baseValue, baseSpreadRatio, baseReason, deltas } = row
  const [delta] = deltas
  if (!delta) return joined()
  const unit = unitOf(row)
  const base = valueMarkup(baseValue, baseReason, row, unit, columns.firsts[0])
  const value = valueMarkup(delta.value, delta.reason, row, unit, columns.firsts[1])
  const narrow = element(
    'small',
    {},
    String(base) === String(value) ? base : joined(base, words(' '), toMarkup, words(' '), value),
  )
  return element(
    'tr',
    {},
    joined(
      element('th', { scope: 'row', title: metric.explain }, joined(nameMarkup(metric, unit), narrow)),
      cell(`num ${styles.wide}`, joined(base, spreadMarkup(baseSpreadRatio)), sideMark(columns, 0, metric, baseValue)),
      cell(
        `num ${styles.wide}`,
        joined(value, spreadMarkup(delta.spreadRatio)),
        sideMark(columns, 1, metric, delta.value),
      ),
      ...changeCells(delta, row, 1, cells[0], columns),
    ),
  )
}

/** A metric of many sides: a row each, the base first, so that the verdicts stay in sight. */
function groupOfRows(row: ComparisonRow, cells: readonly ForestCell[], columns: Columns): Markup {
  const { metric, baseValue, baseSpreadRatio, baseReason, deltas } = row
  const unit = unitOf(row)
  const sideRow = (
    at: number,
    own: number | null,
    value: Markup,
    spreadRatio: number | null,
    more: readonly Markup[],
  ): Markup =>
    element(
      'tr',
      {},
      joined(
        element(
          'th',
          { scope: 'row' },
          joined(keyMarkup(seriesStyle(at)), words(` ${columns.names[at] ?? ''}`), element('small', {}, value)),
        ),
        cell(`num ${styles.wide}`, joined(value, spreadMarkup(spreadRatio)), sideMark(columns, at, metric, own)),
        ...more,
      ),
    )
  const span = { colspan: columns.hasIntervals ? 6 : 5 }
  const empty = cell('', joined())
  return joined(
    element(
      'tr',
      { class: styles.metric },
      element('th', { scope: 'rowgroup', title: metric.explain, ...span }, nameMarkup(metric, unit)),
    ),
    sideRow(0, baseValue, valueMarkup(baseValue, baseReason, row, unit, columns.firsts[0]), baseSpreadRatio, [
      cell('num muted', words('base')),
      ...(columns.hasIntervals ? [cell(styles.wide ?? '', joined())] : []),
      cell(styles.axis ?? '', forestMarkup(columns.scale, { zone: cells[0]?.zone ?? null, mark: null })),
      ...(columns.isPair ? [empty] : [cell(styles.wide ?? '', joined())]),
    ]),
    ...deltas.map((delta, at) =>
      sideRow(
        at + 1,
        delta.value,
        valueMarkup(delta.value, delta.reason, row, unit, columns.firsts[at + 1]),
        delta.spreadRatio,
        changeCells(delta, row, at + 1, cells[at], columns),
      ),
    ),
  )
}

function changeCells(
  delta: Delta,
  row: ComparisonRow,
  side: number,
  drawn: ForestCell | undefined,
  { hasIntervals, scale, of }: Columns,
): readonly Markup[] {
  const { metric, baseValue } = row
  const unit = unitOf(row)
  const isShare = delta.changeRatio === null || metric.unit === 'ratio'
  const said = judgementWords(delta, metric)
  const fact = deltaFact(of, side, metric, baseValue, { ...delta, word: said.word })
  const { word, arrow, tone, basis, more } = said
  const mark = arrow === null ? joined() : joined(arrowMarkup(arrow), words(' '))
  const judged =
    word === missing
      ? missingMarkup(delta.reason ?? 'unknown')
      : joined(mark, words(basis === '' ? word : `${word}, ${basis}`))
  const short = word === missing ? joined() : joined(mark, words(word))
  const change = joined(words(delta.absolute === 0 ? missing : changeText(delta, metric)), element('small', {}, short))
  return [
    cell(`num ${tone === 'muted' ? '' : tone}`, change, {
      title: differenceText(delta, metric, unit),
      ...factAttributes(fact, isShare ? 'points' : 'effect'),
    }),
    ...(hasIntervals
      ? [cell(`num muted ${styles.wide}`, words(intervalWords(delta) ?? missing), factAttributes(fact, 'interval'))]
      : []),
    cell(styles.axis ?? '', drawn === undefined ? joined() : forestMarkup(scale, drawn)),
    cell(
      `${styles.wide} ${styles.judgement} ${tone}`,
      joined(judged, more === null ? joined() : element('span', { class: styles.more }, words(more))),
    ),
  ]
}

const sideMark = ({ of }: Columns, side: number, metric: Metric, value: number | null): Attributes =>
  factAttributes(sideFact(of, side, metric, value))

const unitOf = ({ metric, baseValue, deltas }: ComparisonRow): ColumnUnit =>
  columnUnit(metric.unit, [baseValue, ...deltas.map((delta) => delta.value)])

/** Longer names would wrap on a phone. */
const longestName = 24

function nameMarkup(metric: Metric, unit: ColumnUnit): Markup {
  const hasUnit = unit.label !== '' && metric.unit !== 'per-second'
  return joined(
    words(metric.label.length > longestName ? metric.shortLabel : metric.label),
    hasUnit ? element('span', { class: 'muted' }, words(`, ${unit.label}`)) : joined(),
  )
}

function valueMarkup(
  value: number | null,
  reason: string | null,
  { metric }: ComparisonRow,
  unit: ColumnUnit,
  first: StoredRun | undefined,
): Markup {
  if (value === null) return missingMarkup(reason ?? 'unknown')
  return words(boundOf(first, metric, value) + formatInColumn(value, metric.unit, unit))
}

/** Distance of the farthest run from the median. */
function spreadMarkup(ratio: number | null): Markup {
  return ratio === null ? joined() : element('span', { class: styles.spread }, words(` ± ${formatPercent(ratio)}`))
}
