'use client'

import { SaveForm } from './save-form'
import styles from './settings.module.css'

/** Where a project's commits are shown. */
export function RepositoryForm({ slug, url }: { slug: string; url: string | null }) {
  return (
    <SaveForm
      url={`/api/v1/projects/${slug}`}
      body={(text) => ({ repositoryUrl: text('repositoryUrl') === '' ? null : text('repositoryUrl') })}
      className={styles.row}
      explain="Commits of alerts and labels link to /commit/… below this address. Empty: no links."
    >
      <input
        name="repositoryUrl"
        type="url"
        className="input"
        aria-label="URL of the repository"
        placeholder="https://github.com/owner/name"
        pattern="https://.*"
        defaultValue={url ?? ''}
        maxLength={500}
      />
    </SaveForm>
  )
}
