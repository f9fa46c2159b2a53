'use client'

import type { CandidateRule } from '@/lib/run/candidate-rule'
import { SaveForm } from './save-form'
import styles from './settings.module.css'

/** Which new runs of a project are judged against their series without joining it. */
export function CandidateRuleForm({ slug, rule }: { slug: string; rule: CandidateRule | null }) {
  return (
    <SaveForm
      url={`/api/v1/projects/${slug}`}
      body={(text) => ({
        candidateRule: text('label') === '' ? null : { label: text('label'), isNot: text('isNot') },
      })}
      className={styles.rule}
      explain={
        <>
          A candidate is judged against its series and never joins it. The rule applies to new uploads, by the labels
          that runs are saved with: those without the label join their series, and <code>candidate=1</code> or{' '}
          <code>candidate=0</code> in an upload wins. Runs that are there stay as they are. Empty: no rule.
        </>
      }
    >
      Runs are candidates when label
      <input
        name="label"
        className="input"
        aria-label="Label of the rule"
        placeholder="branch"
        defaultValue={rule?.label ?? ''}
        maxLength={100}
      />
      is not
      <input
        name="isNot"
        className="input"
        aria-label="Value of runs that join their series"
        placeholder="main"
        defaultValue={rule?.isNot ?? ''}
        maxLength={200}
      />
    </SaveForm>
  )
}
