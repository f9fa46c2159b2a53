import type { CompareView } from './compare-view-state'
import { KeptFields } from './kept-fields'
import styles from './metric-choice.module.css'

/** A limit for latencies, drawn as a line in the plots. A form of the address: works without scripts. */
export function SloForm({ view }: { readonly view: CompareView }) {
  return (
    <form method="get" className={styles.inline}>
      <KeptFields view={view} without={['slo']} />
      <label>
        SLO, ms <input className="input" name="slo" type="number" min="0" step="any" defaultValue={view.sloMs ?? ''} />
      </label>
      <button type="submit" className="button">
        Apply
      </button>
    </form>
  )
}
