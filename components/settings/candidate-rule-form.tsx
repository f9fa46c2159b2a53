'use client'

import { useRouter } from 'next/navigation'
import { useState, type SyntheticEvent } from 'react'
import type { CandidateRule } from '@/lib/run/candidate-rule'
import { callApi, sentenceOf } from '../ui/call-api'
import styles from './settings.module.css'

/** Which new runs of a project are judged against their series without joining it. */
export function CandidateRuleForm({ slug, rule }: { slug: string; rule: CandidateRule | null }) {
  const router = useRouter()
  const [said, setSaid] = useState<string | null>(null)

  const save = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const textOf = (name: string) => {
      const text = form.get(name)
      return typeof text === 'string' ? text.trim() : ''
    }
    const label = textOf('label')
    const candidateRule = label === '' ? null : { label, isNot: textOf('isNot') }
    try {
      await callApi('PATCH', `/api/v1/projects/${slug}`, { candidateRule })
      setSaid('Saved')
      router.refresh()
    } catch (error) {
      setSaid(sentenceOf(error))
    }
  }
  return (
    <form onSubmit={(event) => void save(event)}>
      <p className="muted">
        A candidate is judged against its series and never joins it. The rule applies to new uploads, by the labels that
        runs are saved with: those without the label join their series, and <code>candidate=1</code> or{' '}
        <code>candidate=0</code> in an upload wins. Runs that are there stay as they are. Empty: no rule.
      </p>
      <div className={styles.rule}>
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
        <button type="submit" className="button">
          Save
        </button>
        <span role="status">{said}</span>
      </div>
    </form>
  )
}
