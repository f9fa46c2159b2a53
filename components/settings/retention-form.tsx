'use client'

import type { Retention } from '@/lib/project/project-settings'
import { settingLimits } from '@/lib/project/setting-limits'
import { trashDays } from '@/lib/project/stored-trash'
import { Link } from '../ui/links/link'
import { SaveForm } from '../forms/save-form'
import styles from './settings.module.css'

/** How long a project keeps raw files and runs. */
export function RetentionForm({ slug, retention }: { slug: string; retention: Retention }) {
  const field = (name: keyof Retention, label: string) => (
    <label className={`grid gap-4 ${styles.days}`}>
      {label}
      <span className="row gap-8">
        <input
          className="input"
          type="number"
          name={name}
          min={1}
          max={settingLimits.days}
          step={1}
          placeholder="forever"
          defaultValue={retention[name] ?? ''}
        />
        days
      </span>
    </label>
  )
  return (
    <SaveForm
      method="PUT"
      url={`/api/v1/projects/${slug}/retention`}
      body={(text) => {
        const daysOf = (name: keyof Retention) => (text(name) === '' ? null : Number(text(name)))
        return { keepRawDays: daysOf('keepRawDays'), keepRunsDays: daysOf('keepRunsDays') }
      }}
      className={styles.row}
      explain={
        <>
          Empty: keep forever. Expired runs go to the <Link href={`/p/${slug}/trash`}>trash</Link> first, like runs
          deleted manually, for {trashDays} days. Baselines, and runs of open shares and saved comparisons, never
          expire.
        </>
      }
    >
      {field('keepRunsDays', 'Keep runs for')}
      {field('keepRawDays', 'Keep raw files for')}
    </SaveForm>
  )
}
