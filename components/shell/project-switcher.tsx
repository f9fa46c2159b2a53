'use client'

import { useRouter } from 'next/navigation'
import { Icon } from '../ui/icon'
import styles from './project-switcher.module.css'

export interface ShellProject {
  readonly slug: string
  readonly name: string
  /** Alerts that need attention. */
  readonly openAlerts: number
  /** A channel was disabled automatically: a receiver gets no alerts. */
  readonly hasDeadChannel: boolean
}

/** A native select: keyboard, screen reader and phone all know it. In a narrow rail it lies unseen over an icon. */
export function ProjectSwitcher({ projects, current }: { projects: readonly ShellProject[]; current: string | null }) {
  const router = useRouter()
  return (
    <div className={styles.switcher} title="Project">
      <span className={styles.icon}>
        <Icon name="projects" />
      </span>
      <select
        className={`select ${styles.select}`}
        aria-label="Project"
        value={current ?? ''}
        onChange={(event) =>
          router.push(event.currentTarget.value === '' ? '/' : `/p/${event.currentTarget.value}/runs`)
        }
      >
        <option value="">All projects</option>
        {projects.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
