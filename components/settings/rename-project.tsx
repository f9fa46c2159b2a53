'use client'

import { SaveForm } from './save-form'
import styles from './settings.module.css'

/** The project's name; its address stays. */
export function RenameProject({ slug, name }: { slug: string; name: string }) {
  return (
    <SaveForm
      url={`/api/v1/projects/${slug}`}
      body={(text) => ({ name: text('name') })}
      words={['Rename', 'Renamed']}
      className={styles.row}
    >
      <input
        name="name"
        className="input"
        aria-label="Name of the project"
        defaultValue={name}
        required
        maxLength={100}
      />
    </SaveForm>
  )
}
