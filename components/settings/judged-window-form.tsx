'use client'

import type { JudgedWindow } from '@/lib/run/steady-part'
import { Choice, type ChoiceOption } from '../forms/choice'
import { SaveForm } from './save-form'
import styles from './settings.module.css'

const windows: readonly ChoiceOption<JudgedWindow>[] = [
  { value: 'whole', name: 'Whole runs' },
  { value: 'steady', name: 'Steady parts, after warm-up' },
]

/** Whether the series of a project are judged by whole runs, or by the part after their warm-up. */
export function JudgedWindowForm({ slug, judgedWindow }: { slug: string; judgedWindow: JudgedWindow }) {
  return (
    <SaveForm
      url={`/api/v1/projects/${slug}`}
      body={(text) => ({ judgedWindow: text('judgedWindow') })}
      className={styles.rule}
      explain="Trends, alerts and judgements by steady parts use mean, p50, p90, p95, p99, max and throughput after warm-up, where every run of a series has samples and a steady part; else whole runs. A change judges all series again."
    >
      <Choice label="Series are judged by" name="judgedWindow" options={windows} initial={judgedWindow} />
    </SaveForm>
  )
}
