'use client'

import { useState } from 'react'
import { plural } from '@/lib/format'
import { useForm } from '../ui/actions/action'
import { callApi, textOf } from '../ui/actions/call-api'
import { Dialog } from '../ui/dialog'
import styles from '../ui/dialog.module.css'
import own from './project-dialog.module.css'

export interface ProjectChoice {
  readonly slug: string
  readonly name: string
}

interface Props {
  readonly projects: readonly ProjectChoice[]
  readonly files: readonly { readonly name: string }[]
  onChoose(projectSlug: string): void
  onCancel(): void
}

/** With more projects than this, they are found by typing. */
const listedWithoutSearch = 8

/** Proposed name of a new project: that of the only file, without its extension. */
function proposedName(files: Props['files']): string {
  const [only] = files
  if (only === undefined || files.length > 1 || only.name === 'pasted.txt') return ''
  return only.name.replace(/(?<=[^.])\.[a-z0-9]{1,8}$/i, '').slice(0, 100)
}

/** The choice of a project for the files: a new one first, then existing ones. */
export function ProjectDialog({ projects, files, onChoose, onCancel }: Props) {
  const [name, setName] = useState(() => proposedName(files))
  const { isBusy, problem, onSubmit } = useForm(async () => {
    const made = textOf(await callApi('POST', '/api/v1/projects', { name: name.trim() }), 'slug')
    if (made) onChoose(made)
  })
  const title = `Which project ${files.length === 1 ? 'is this file' : `are these ${plural(files.length, 'file')}`} for?`
  return (
    <Dialog label={title} className={own.narrow} onClose={onCancel}>
      {() => (
        <form className={styles.form} onSubmit={onSubmit}>
          <h2 className="section-title">{title}</h2>
          <label className={styles.field}>
            New project
            <span className={`grid gap-8 ${own.made}`}>
              <input
                className="input"
                value={name}
                maxLength={100}
                required
                autoFocus
                placeholder="Name"
                onFocus={(event) => event.target.select()}
                onChange={(event) => setName(event.target.value)}
              />
              <button type="submit" className="button button-primary" disabled={isBusy}>
                Create
              </button>
            </span>
          </label>
          {problem && (
            <p className="notice notice-error" role="alert">
              {problem}
            </p>
          )}
          {projects.length > 0 && <ProjectList projects={projects} onChoose={onChoose} />}
          <div className={styles.buttons}>
            <button type="button" className="button" onClick={onCancel}>
              Cancel
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

/** The existing projects, a button each. */
function ProjectList({ projects, onChoose }: Pick<Props, 'projects' | 'onChoose'>) {
  const [text, setText] = useState('')
  const asked = text.trim().toLowerCase()
  const found = projects.filter(({ name, slug }) => name.toLowerCase().includes(asked) || slug.includes(asked))
  return (
    <fieldset className={`grid gap-6 slim one-column ${own.projects}`}>
      <legend>Or a project that exists</legend>
      {projects.length > listedWithoutSearch && (
        <input
          type="search"
          className="input"
          aria-label="Find a project"
          placeholder={`Find one of ${projects.length}`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          // Enter in a search must not create a project.
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.preventDefault()
          }}
        />
      )}
      <ul className={own.list}>
        {found.map(({ slug, name }) => (
          <li key={slug}>
            <button type="button" className={`block text break full ${own.project}`} onClick={() => onChoose(slug)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
