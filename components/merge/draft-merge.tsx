import { useEffect, useRef } from 'react'
import { plural } from '@/lib/format'
import { joinWords } from '@/lib/text'
import type { MergePlan } from './merge-plan'
import { MergePlanView } from './merge-plan-view'
import styles from './draft-merge.module.css'

interface Props {
  /** Runs that can be merged, in the order of the file; two or more. */
  readonly offered: readonly { readonly index: number; readonly about: string }[]
  /** Those to merge, by index; null: each is saved separately. */
  readonly chosen: readonly number[] | null
  /** Null: not received yet. */
  readonly plan: MergePlan | null
  onChange(chosen: readonly number[] | null): void
}

/** Offers to merge runs of a draft, and previews the result. */
export function DraftMerge({ offered, chosen, plan, onChange }: Props) {
  const set = (index: number, isPart: boolean) =>
    onChange(offered.map((run) => run.index).filter((at) => (at === index ? isPart : chosen?.includes(at))))
  const details = useRef<HTMLDivElement>(null)
  // The plan begins below the bar that saves: scrolled into sight for a person who chose here, not one who edits a
  // start above.
  useEffect(() => {
    const own = details.current
    if (plan !== null && own?.parentElement?.contains(document.activeElement)) own.scrollIntoView({ block: 'nearest' })
  }, [plan])
  const parts = offered.filter(({ index }) => chosen?.includes(index))
  return (
    <fieldset className={`grid text-13 slim ${styles.merge}`}>
      <legend className="visually-hidden">Runs of several generators</legend>
      <label className={`bold flex gap-8 ${styles.choice}`}>
        <input
          type="checkbox"
          aria-describedby="merge-about"
          checked={chosen !== null}
          onChange={(event) => onChange(event.target.checked ? offered.map(({ index }) => index) : null)}
        />
        Merge into one run
      </label>
      <span id="merge-about" className="muted">
        {aboutOffer(offered)}
      </span>
      {chosen !== null && (
        <div ref={details} className={`grid ${styles.details}`}>
          <ul className={`grid gap-4 break ${styles.parts}`} aria-label="Parts of the merged run">
            {offered.map(({ index, about }) => (
              <li key={index}>
                <label className={`baseline flex gap-8 ${styles.part}`}>
                  <input
                    type="checkbox"
                    checked={chosen.includes(index)}
                    onChange={(event) => set(index, event.target.checked)}
                  />
                  <span>
                    Run {index + 1} <span className="muted">{about}</span>
                  </span>
                </label>
              </li>
            ))}
          </ul>
          <div className={`grid gap-8 ${styles.plan}`} aria-live="polite">
            {parts.length < 2 && <p className="muted">Select two or more of them.</p>}
            {parts.length > 1 && (plan ? <MergePlanView plan={plan} /> : <p className="muted">Adding up …</p>)}
            {plan?.kind === 'merged' && (
              <p className="muted">
                The {parts.length} runs are saved too, and are in no list or series until the merged run is split.
              </p>
            )}
            {plan?.kind === 'refused' && <p>They are saved as {plural(parts.length, 'run')}.</p>}
          </div>
        </div>
      )}
    </fieldset>
  )
}

/** With more runs, their count is clearer than their numbers. */
const maxNamed = 6

function aboutOffer(offered: Props['offered']): string {
  const numbers = offered.map(({ index }) => String(index + 1))
  const which = numbers.length > maxNamed ? `${numbers.length} of these runs` : `runs ${joinWords(numbers, 'and')}`
  return `For generators that drove one test at the same time: ${which} may be such.`
}
