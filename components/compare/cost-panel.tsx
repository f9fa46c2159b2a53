import { defaultLambdaPrices } from '@/lib/judge/cost'
import type { StoredRun } from '@/lib/history/stored-runs'
import { ListTable } from '../ui/list-table'
import type { CompareView } from './compare-view-state'
import { costInputsOf, costRows, priceWords, sharedInputs, sideInputs, sideKey } from './cost-rows'
import { CarriedFields } from './view-forms'
import styles from './cost-panel.module.css'

interface Props {
  /** The first run of each side, the base first. */
  readonly runs: readonly StoredRun[]
  readonly names: readonly string[]
  readonly view: CompareView
}

/** The cost of each side, with its inputs; they are in the address, and work without scripts. */
export function CostPanel(props: Props) {
  return (
    <>
      <CostTable {...props} />
      <CostForm {...props} />
    </>
  )
}

/** Only the figures, and the prices behind them; nothing when no side has a figure. */
export function CostTable({ runs, names, view }: Props) {
  const rows = costRows(runs, view.cost)
  if (rows.length === 0) return null
  const prices = priceWords(runs, view.cost)
  return (
    <section aria-labelledby="cost-title">
      <h2 id="cost-title" className="section-title">
        Cost
      </h2>
      <ListTable label="Cost by side" head={['Metric', ...names]} numbers={names}>
        {rows.map((row) => (
          <tr key={row.label}>
            <th scope="row">{row.label}</th>
            {row.cells.map((cell, at) => (
              <td key={at} className="num">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </ListTable>
      {prices !== null && <p className="muted">{prices}</p>}
    </section>
  )
}

function CostForm({ runs, names, view }: Props) {
  return (
    <details>
      <summary className="button">Cost inputs</summary>
      <form method="get" className={`grid gap-12 above-8 ${styles.form}`}>
        <CarriedFields view={view} without={['cost.']} />
        <p className="muted">
          Check these defaults: {defaultLambdaPrices.region} list prices as of {defaultLambdaPrices.at}, without free
          tier or savings plans. Enter your own; empty fields use the default, or stay unknown.
        </p>
        <fieldset>
          <legend>All sides</legend>
          {sharedInputs.map(({ key, label, value }) => (
            <Field key={key} name={`cost.${key}`} label={label} given={view.cost[key]} fallback={value} />
          ))}
        </fieldset>
        {runs.map((run, at) => (
          <fieldset key={run.id}>
            <legend>{names[at]}</legend>
            {sideInputs.map(({ key, label }) => (
              <Field
                key={key}
                name={`cost.${sideKey(run)}.${key}`}
                label={label}
                given={view.cost[`${sideKey(run)}.${key}`]}
                fallback={key === 'instances' ? costInputsOf(run, {}).instances : null}
              />
            ))}
          </fieldset>
        ))}
        <button type="submit" className="button">
          Calculate
        </button>
      </form>
    </details>
  )
}

function Field(props: {
  readonly name: string
  readonly label: string
  readonly given: string | undefined
  readonly fallback: number | null
}) {
  return (
    <label>
      {props.label}
      <input
        className="input"
        type="number"
        min="0"
        step="any"
        name={props.name}
        defaultValue={props.given ?? ''}
        placeholder={props.fallback === null ? '' : String(props.fallback)}
      />
    </label>
  )
}
