import { Link } from '../ui/links/link'
import { sensitivities } from '@/lib/levels/sensitivity'
import { commitWords, formatMs, formatMoment, plural } from '@/lib/format'
import { seriesWords } from '@/lib/rules/alert-words'
import { defaultMetric, metrics } from '@/lib/run/metrics'
import { ruleKindName } from '@/lib/rules/rule-words'
import { ruleKinds, type Rule } from '@/lib/rules/rules'
import type { RunRow } from '@/lib/history/stored-runs'
import type { SeriesSummary } from '@/lib/history/stored-series'
import { PickList, type PickOption } from './pick-list'
import type { RuleFields } from './rule-draft'
import { RuleMetrics } from './rule-metrics'
import styles from './rules.module.css'

interface Props {
  readonly path: string
  readonly fields: RuleFields
  /** The rule that is being changed; null: a new one. */
  readonly rule: Rule | null
  readonly isBuiltIn: boolean
  readonly series: readonly SeriesSummary[]
  /** Runs to pick a baseline from, including the picked ones. */
  readonly runs: readonly RunRow[]
}

/** Fields of a rule, as a form of the address: it works without scripts, and submitting it replays the rule. */
export function RuleForm({ path, fields, rule, isBuiltIn, series, runs }: Props) {
  const { kind } = fields
  return (
    <>
      {rule === null && (
        <nav className={`flex wrap below-12 ${styles.kinds}`} aria-label="What the rule watches">
          {ruleKinds.map((one) => (
            <Link key={one} href={`${path}?kind=${one}`} aria-current={one === kind ? 'true' : undefined}>
              {ruleKindName(one)}
            </Link>
          ))}
        </nav>
      )}
      <form method="get" action={path} className={`flex wrap ${styles.form}`}>
        <input type="hidden" name="replay" value="1" />
        <input type="hidden" name="kind" value={kind} />
        {rule !== null && <input type="hidden" name="rule" value={rule.id} />}
        {!isBuiltIn && kind !== 'failed-import' && <Scope fields={fields} series={series} />}
        {kind === 'limit' && <LimitFields fields={fields} />}
        {(kind === 'change-point' || kind === 'baseline') && <ChangeFields fields={fields} runs={runs} />}
        {kind === 'missing' && (
          <label>
            Hours without a run
            <input
              className="input"
              name="hours"
              type="number"
              min={1}
              max={8760}
              required
              defaultValue={fields.hours}
            />
          </label>
        )}
        {kind === 'failed-import' && <p className="muted">Raises an alert for every upload that cannot be read.</p>}
        {kind !== 'missing' && kind !== 'failed-import' && (
          <label>
            Runs in a row
            <input className="input" name="confirm" type="number" min={1} max={10} defaultValue={fields.confirmRuns} />
          </label>
        )}
        <button type="submit" className="button">
          Replay the last 90 days
        </button>
        {rule !== null && <Link href={path}>Cancel</Link>}
      </form>
    </>
  )
}

function Scope({ fields, series }: { readonly fields: RuleFields; readonly series: readonly SeriesSummary[] }) {
  const { scope } = fields
  const scenarios = [...new Set(series.map((one) => one.scenario))].sort()
  const countOf = (name: string) => series.filter(({ scenario }) => scenario === name).length
  const known: readonly PickOption[] = [
    { value: '', name: 'Whole project', detail: '' },
    ...scenarios.map((name) => ({
      value: `scenario:${name}`,
      name,
      detail: `scenario, ${plural(countOf(name), 'series', 'series')}`,
    })),
    ...series.map((one) => ({ value: `series:${one.id}`, name: seriesWords(one), detail: 'one series' })),
  ]
  const isKnown = known.some(({ value }) => value === scope)
  const own = { value: scope, name: scope.replace(/^[a-z]+:/, ''), detail: 'no recent runs' }
  return (
    <PickList
      name="scope"
      label="For"
      kind="radio"
      options={isKnown ? known : [own, ...known]}
      chosen={[scope]}
      none="Whole project"
      searches="scenarios and series"
    />
  )
}

/** Runs as a list names them: scenario and variant, commit, day and p99. */
function runOptions(runs: readonly RunRow[]): readonly PickOption[] {
  return runs.map((run) => ({
    value: run.id,
    name: [run.scenario, run.variant, run.environment].filter((part) => part !== null).join(' › '),
    detail: [
      run.labels['commit'] === undefined ? null : commitWords(run.labels['commit']),
      formatMoment(run.orderedAt),
      run.figures.p99Ms === null ? null : `p99 ${formatMs(run.figures.p99Ms)}`,
    ]
      .filter((part) => part !== null)
      .join(' · '),
  }))
}

const plain = (values: readonly string[]): readonly PickOption[] => values.map((value) => ({ value, name: value }))

/** A choice of a few, behind a chip. */
function Choice(props: { name: string; label: string; options: readonly PickOption[]; chosen: string }) {
  const { chosen, ...rest } = props
  return <PickList {...rest} kind="radio" chosen={[chosen]} searches="metrics" />
}

const metricOptions = metrics.map(({ id, label, group }): PickOption => ({ value: id, name: label, detail: group }))

function LimitFields({ fields }: { readonly fields: RuleFields }) {
  return (
    <>
      <Choice name="metric" label="Metric" options={metricOptions} chosen={fields.metricIds[0] ?? defaultMetric.id} />
      <Choice name="side" label="is" options={plain(['above', 'below'])} chosen={fields.side} />
      <label>
        Limit (ms, per second, ratios in %)
        <input className="input" name="limit" type="number" min={0} step="any" required defaultValue={fields.limit} />
      </label>
    </>
  )
}

function ChangeFields({ fields, runs }: { readonly fields: RuleFields; readonly runs: readonly RunRow[] }) {
  const isBaseline = fields.kind === 'baseline'
  return (
    <>
      <RuleMetrics chosenIds={fields.metricIds} />
      <Choice
        name="direction"
        label="that"
        options={[
          { value: 'worse', name: 'get worse' },
          { value: 'better', name: 'get better' },
          { value: 'both', name: 'change either way' },
        ]}
        chosen={fields.direction}
      />
      <label>
        by at least, %
        <input
          className="input"
          name="least"
          type="number"
          min={1}
          max={1000}
          step="any"
          required={isBaseline}
          placeholder={isBaseline ? undefined : 'each its own'}
          defaultValue={fields.minPercent}
        />
      </label>
      {isBaseline ? (
        <PickList
          name="runs"
          label="Compare with the median of"
          kind="checkbox"
          options={runOptions(runs)}
          chosen={fields.runIds.split(' ').filter((id) => id !== '')}
          none="The project’s baseline"
          searches="runs by name, commit or day"
        />
      ) : (
        <Choice name="sensitivity" label="Sensitivity" options={plain(sensitivities)} chosen={fields.sensitivity} />
      )}
    </>
  )
}
