import type { Comparison, ComparisonRow } from '@/lib/judge/comparison'
import type { Delta } from '@/lib/judge/delta'
import { columnUnit, formatFactor, formatPercent, formatInColumn, missing } from '@/lib/format'
import type { Metric } from '@/lib/run/metrics'
import type { StoredRun } from '@/lib/run/stored'
import { Drawn, element, joined, words, type Markup } from '../ui/drawn'
import { arrowMarkup } from '../ui/arrow'
import {
  changeText,
  deltaWords,
  differenceText,
  evidenceText,
  repeatsRule,
  windowSentence,
  wordRule,
} from './delta-words'
import { missingMarkup } from './missing'
import { Line } from './run-strip'
import styles from './delta-table.module.css'

interface Props {
  readonly comparison: Comparison<StoredRun>
  /** What distinguishes the runs, the base first. */
  readonly names: readonly string[]
}

/** Every metric of the base beside each candidate's, with the change in four readings and in words. */
export function DeltaTable({ comparison, names }: Props) {
  const { candidates, rows } = comparison
  // With many candidates the absolute change and the ratio would only push the others out of sight.
  const full = candidates.length <= 2
  const window = windowSentence(comparison)
  const hasRepeats = comparison.sides.some((side) => side.length > 1)
  return (
    <>
      {window !== null && <p className="muted">{window}</p>}
      <div className={`table-scroll ${styles.scroll}`} tabIndex={0} role="region" aria-label="Changes by metric">
        <table className={`table ${styles.table}`}>
          <thead>
            <tr>
              <th scope="col" rowSpan={2}>
                Metric
              </th>
              <th scope="col" rowSpan={2} className="num">
                <Line index={0} /> {names[0]} <span className="chip">base</span>
              </th>
              {candidates.map((run, at) => (
                <th key={run.id} scope="colgroup" colSpan={full ? 5 : 3} className={styles.candidate}>
                  <Line index={at + 1} /> {names[at + 1]}
                </th>
              ))}
            </tr>
            <tr>
              {candidates.map((run) => (
                <Heads key={run.id} full={full} />
              ))}
            </tr>
          </thead>
          <Drawn as="tbody" markup={joined(...rows.map((row) => rowMarkup(row, full)))} />
        </table>
      </div>
      <p className={`muted ${styles.rule}`}>
        {wordRule}
        {hasRepeats && `; ${repeatsRule}`}
      </p>
    </>
  )
}

function Heads({ full }: { readonly full: boolean }) {
  const heads = full ? ['Value', 'Difference', 'Change', 'Ratio'] : ['Value', 'Change']
  return (
    <>
      {heads.map((head, at) => (
        <th key={head} scope="col" className={`num ${at === 0 ? styles.candidate : ''}`}>
          {head}
        </th>
      ))}
      <th scope="col">Verdict</th>
    </>
  )
}

/** As text: with ten runs they are most of the page's elements, and nothing ever changes in them. */
function rowMarkup(row: ComparisonRow, full: boolean): Markup {
  const { metric, baseValue, baseSpreadRatio, baseReason, deltas } = row
  const unit = columnUnit(metric.unit, [baseValue, ...deltas.map((delta) => delta.value)])
  const show = (value: number | null) => words(formatInColumn(value, metric.unit, unit))
  const name = [words(metric.label)]
  if (unit.label !== '' && !metric.label.endsWith('per second'))
    name.push(element('span', { class: 'muted' }, words(`, ${unit.label}`)))
  const base = baseReason === null ? show(baseValue) : missingMarkup(baseReason)
  const cells = deltas.flatMap((delta) => {
    const said = deltaWords(delta, metric)
    const value = delta.value === null ? missingMarkup(delta.reason ?? 'unknown') : show(delta.value)
    const change =
      full && metric.unit === 'ratio'
        ? missingMarkup('a percentage of a percentage would mislead: see the difference in points')
        : words(changeText(delta, metric))
    return [
      element('td', { class: `num ${styles.candidate}` }, joined(value, spreadMarkup(delta.spreadRatio))),
      ...(full ? [element('td', { class: 'num' }, words(differenceText(delta, metric, unit)))] : []),
      element('td', { class: `num ${said.tone}` }, change),
      ...(full ? [element('td', { class: 'num' }, words(formatFactor(delta.factor)))] : []),
      element('td', { class: `${styles.verdict} ${said.tone}` }, verdictMarkup(delta, metric)),
    ]
  })
  return element(
    'tr',
    {},
    joined(
      element('th', { scope: 'row', title: metric.explain }, joined(...name)),
      element('td', { class: 'num' }, joined(base, spreadMarkup(baseSpreadRatio))),
      ...cells,
    ),
  )
}

function verdictMarkup(delta: Delta, metric: Metric): Markup {
  const { word, arrow } = deltaWords(delta, metric)
  const evidence = evidenceText(delta)
  const verdict =
    word === missing
      ? missingMarkup(delta.reason ?? 'unknown')
      : joined(arrow ? arrowMarkup(arrow) : joined(), words(` ${word}`))
  return joined(verdict, evidence === null ? joined() : element('span', { class: styles.evidence }, words(evidence)))
}

/** How far the farthest run lies from the median. */
function spreadMarkup(ratio: number | null): Markup {
  return ratio === null ? joined() : element('span', { class: styles.spread }, words(` ± ${formatPercent(ratio)}`))
}
