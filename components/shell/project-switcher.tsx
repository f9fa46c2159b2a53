import type { Role } from '@/lib/viewer'
import { Link } from '../ui/links/link'
import { Menu } from '../ui/menu'

export interface ShellProject {
  readonly slug: string
  readonly name: string
  /** Alerts that need attention. */
  readonly openAlerts: number
  /** A channel was turned off automatically: its receiver gets no alerts. */
  readonly hasDeadChannel: boolean
  /** The viewer's role. */
  readonly role: Role
}

/** The current project, and the others. `current`: null outside of projects. */
export function ProjectSwitcher({ projects, current }: { projects: readonly ShellProject[]; current: string | null }) {
  const name = projects.find(({ slug }) => slug === current)?.name ?? 'All projects'
  return (
    <Menu label={name} icon="updown" isNamed at="start">
      <Link href="/" aria-current={current === null ? 'true' : undefined}>
        All projects
      </Link>
      {projects.map(({ slug, name }) => (
        <Link key={slug} href={`/p/${slug}`} aria-current={slug === current ? 'true' : undefined}>
          {name}
        </Link>
      ))}
      <hr />
      <Link href="/?new=1">New project</Link>
    </Menu>
  )
}
