import { Fragment } from 'react'
import type { Comparison, ComparisonRow } from '@/lib/comparison'
import { columnUnit, formatFactor, formatPercent, formatInColumn, missing } from '@/lib/format'
import type { StoredRun } from '@/lib/stored'
import { Arrow } from './arrow'
import { changeText, deltaWords, differenceText, evidenceText, repeatsRule, sameRule } from './delta-words'
import { Missing } from './missing'
import { Line } from './run-strip'
import styles from './delta-table.module.css'

interface Props {
  readonly comparison: Comparison<StoredRun>
  /** What tells the runs apart, the base first. */
  readonly names: readonly string[]
}

/** Every metric of the base beside each candidate's, with the change in four readings and in words. */
export function DeltaTable({ comparison, names }: Props) {
  const { candidates, rows } = comparison
  // With many candidates the absolute change and the ratio would only push the others out of sight.
  const full = candidates.length <= 2
  const hasRepeats = comparison.sides.some((side) => side.length > 1)
  return (
    <>
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
          <tbody>
            {rows.map((row) => (
              <Row key={row.metric.id} row={row} full={full} />
            ))}
          </tbody>
        </table>
      </div>
      <p className={`muted ${styles.rule}`}>
        {sameRule}
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

function Row({ row, full }: { readonly row: ComparisonRow; readonly full: boolean }) {
  const { metric, baseValue, baseSpreadRatio, baseReason, deltas } = row
  const unit = columnUnit(metric.unit, [baseValue, ...deltas.map((delta) => delta.value)])
  const show = (value: number | null) => formatInColumn(value, metric.unit, unit)
  return (
    <tr>
      <th scope="row" title={metric.explain}>
        {metric.label}
        {unit.label !== '' && !metric.label.endsWith('per second') && <span className="muted">, {unit.label}</span>}
      </th>
      <td className="num">
        {baseReason === null ? show(baseValue) : <Missing reason={baseReason} />}
        <Spread ratio={baseSpreadRatio} />
      </td>
      {deltas.map((delta, at) => {
        const words = deltaWords(delta, metric)
        const evidence = evidenceText(delta, metric)
        return (
          <Fragment key={at}>
            <td className={`num ${styles.candidate}`}>
              {delta.value === null ? <Missing reason={delta.reason ?? 'not known'} /> : show(delta.value)}
              <Spread ratio={delta.spreadRatio} />
            </td>
            {full && <td className="num">{differenceText(delta, metric, unit)}</td>}
            <td className={`num ${words.tone}`}>
              {full && metric.unit === 'ratio' ? (
                <Missing reason="per cent of per cent would mislead: see the difference in points" />
              ) : (
                changeText(delta, metric)
              )}
            </td>
            {full && <td className="num">{formatFactor(delta.factor)}</td>}
            <td className={`${styles.verdict} ${words.tone}`}>
              {words.word === missing ? (
                <Missing reason={delta.reason ?? 'not known'} />
              ) : (
                <>
                  {words.arrow && <Arrow to={words.arrow} />} {words.word}
                </>
              )}
              {evidence !== null && <span className={styles.evidence}>{evidence}</span>}
            </td>
          </Fragment>
        )
      })}
    </tr>
  )
}

/** How far the farthest run lies from the median. */
function Spread({ ratio }: { readonly ratio: number | null }) {
  return ratio === null ? null : <span className={styles.spread}> ± {formatPercent(ratio)}</span>
}
