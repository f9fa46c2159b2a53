import { rowBoxBounds, type RowBox } from '@/lib/cube/row-box'
import type { StoredRun } from '@/lib/history/stored-runs'
import { boxHref } from './box-choice'
import styles from './box.module.css'

interface Props {
  readonly run: StoredRun
  /** The box that is shown; null: none. */
  readonly box: RowBox | null
  readonly isOpen?: boolean
}

/** The bounds of a box as fields: for keys, fingers and pages without scripts. Empty fields are open. */
export function BoxForm({ run, box, isOpen = false }: Props) {
  const { timeline } = run.imported
  if (timeline === null) return null
  const given = box && rowBoxBounds(box)
  const { heat, requests, binMs } = timeline
  const endS = (requests.length * binMs) / 1_000
  const highest = (heat.lowerMs.at(-1) ?? 0) * Math.SQRT2
  const example = (value: number) => String(Number(value.toPrecision(3)))
  const field = (name: 'from' | 'to' | 'above' | 'below', words: string, hint: number, step: number) => (
    <label className={styles.field}>
      <span className="muted text-12">{words}</span>
      <input
        className="input"
        name={name}
        type="number"
        inputMode="decimal"
        min={0}
        step={step}
        placeholder={example(hint)}
        defaultValue={given?.[name] ?? ''}
      />
    </label>
  )
  return (
    <details className={styles.choose} open={isOpen}>
      <summary className="text-13">
        {isOpen ? 'Type its bounds' : box === null ? 'What is in a box of the heat map?' : 'Change the box'}
      </summary>
      {/* A step moves by cells; any number may be typed. */}
      <form method="get" action={boxHref(run, null)} noValidate className={styles.form}>
        {field('from', 'Began from, s', 0, heat.binMs / 1_000)}
        {field('to', 'before, s', endS, heat.binMs / 1_000)}
        {field('above', 'Took from, ms', heat.lowerMs[0] ?? 0, stepOf(highest))}
        {field('below', 'below, ms', highest, stepOf(highest))}
        <button type="submit" className="button">
          Rank what is in it
        </button>
      </form>
      <p className="muted text-12 flush">
        Or drag a box over the heat map. Its requests are ranked against all others of the run.
      </p>
    </details>
  )
}

/** A hundredth of the highest latency, as a power of ten, ms. */
const stepOf = (highestMs: number): number => 10 ** Math.floor(Math.log10(Math.max(highestMs, 1e-3) / 20))
