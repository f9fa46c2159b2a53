'use client'

import { useEffect, useRef, useState } from 'react'
import { plural } from '@/lib/format'
import { useAttempts } from '../ui/attempt'
import { callApi, textOf } from '../ui/call-api'
import styles from '../ui/dialog.module.css'
import own from './project-dialog.module.css'

export interface ProjectChoice {
  readonly slug: string
  readonly name: string
}

interface Props {
  readonly projects: readonly ProjectChoice[]
  readonly fileCount: number
  onChoose(projectSlug: string): void
  onCancel(): void
}

const newProject = ''

/** Asks which project files belong to, one that exists or a new one. */
export function ProjectDialog({ projects, fileCount, onChoose, onCancel }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [slug, setSlug] = useState(projects[0]?.slug ?? newProject)
  const [name, setName] = useState(projects.length === 0 ? 'my-project' : '')
  const { problem, attempt } = useAttempts()
  useEffect(() => dialog.current?.showModal(), [])

  async function choose() {
    if (slug !== newProject) return onChoose(slug)
    await attempt(async () => {
      const made = textOf(await callApi('POST', '/api/v1/projects', { name: name.trim() }), 'slug')
      if (made) onChoose(made)
    })
  }

  return (
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${own.narrow}`}
      aria-labelledby="project-dialog-title"
      onClose={onCancel}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void choose()
        }}
      >
        <h2 id="project-dialog-title" className="section-title">
          Where does {fileCount === 1 ? 'this' : plural(fileCount, 'file')} belong?
        </h2>
        {projects.length > 0 && (
          <label className={styles.field}>
            Project
            <select className="select" value={slug} onChange={(event) => setSlug(event.target.value)}>
              {projects.map((project) => (
                <option key={project.slug} value={project.slug}>
                  {project.name}
                </option>
              ))}
              <option value={newProject}>New project …</option>
            </select>
          </label>
        )}
        {slug === newProject && (
          <label className={styles.field}>
            Name of the new project
            <input
              className="input"
              value={name}
              maxLength={100}
              required
              autoFocus
              onChange={(event) => setName(event.target.value)}
            />
          </label>
        )}
        {problem && (
          <p className="notice notice-error" role="alert">
            {problem}
          </p>
        )}
        <div className={styles.buttons}>
          <button type="submit" className="button button-primary">
            Read {fileCount === 1 ? 'it' : plural(fileCount, 'file')}
          </button>
          <button type="button" className="button" onClick={onCancel}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  )
}
