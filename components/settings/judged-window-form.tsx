'use client'

import { useRouter } from 'next/navigation'
import { useState, type SyntheticEvent } from 'react'
import type { JudgedWindow } from '@/lib/run/steady-part'
import { callApi, sentenceOf } from '../ui/call-api'
import styles from './settings.module.css'

/** Whether the series of a project are judged by whole runs, or by what was measured after their warm-up. */
export function JudgedWindowForm({ slug, judgedWindow }: { slug: string; judgedWindow: JudgedWindow }) {
  const router = useRouter()
  const [said, setSaid] = useState<string | null>(null)

  const save = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const isSteady = new FormData(event.currentTarget).get('judgedWindow') === 'steady'
    try {
      await callApi('PATCH', `/api/v1/projects/${slug}`, { judgedWindow: isSteady ? 'steady' : 'whole' })
      setSaid('Saved')
      router.refresh()
    } catch (error) {
      setSaid(sentenceOf(error))
    }
  }
  return (
    <form onSubmit={(event) => void save(event)}>
      <p className="muted">
        Trends, alerts and judgements by steady parts use mean, p50, p90, p95, p99, max and throughput after warm-up,
        where every run of a series has samples and a steady part; else whole runs. A change judges all series again.
      </p>
      <div className={styles.rule}>
        <select name="judgedWindow" className="select" aria-label="Series are judged by" defaultValue={judgedWindow}>
          <option value="whole">Whole runs</option>
          <option value="steady">Steady parts, after warm-up</option>
        </select>
        <button type="submit" className="button">
          Save
        </button>
        <span role="status">{said}</span>
      </div>
    </form>
  )
}
