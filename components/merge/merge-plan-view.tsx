import type { MergePlan } from './merge-plan'
import styles from './merge-plan.module.css'

/** The plan of a merge, or why runs cannot be merged. */
export function MergePlanView({ plan }: { readonly plan: MergePlan }) {
  if (plan.kind === 'refused')
    return (
      <div role="alert" className={`grid gap-6 break ${styles.refusal}`}>
        <p>They cannot be one run. {plan.reason}</p>
        {plan.hint !== null && <p className="muted">{plan.hint}</p>}
      </div>
    )
  return (
    <>
      <p className={styles.added}>
        Counts, rates and histograms are added; percentiles are read off the sum, never averaged.
      </p>
      <dl className={`grid ${styles.figures}`}>
        {plan.figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {plan.remarks.length > 0 && (
        <ul className={`grid gap-4 break ${styles.remarks}`}>
          {plan.remarks.map((remark) => (
            <li key={remark}>{remark}</li>
          ))}
        </ul>
      )}
    </>
  )
}
