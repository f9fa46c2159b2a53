import type { Role } from '@/lib/viewer'
import { Link } from '../ui/links/link'
import { Menu } from '../ui/menu'

export interface ShellProject {
  readonly slug: string
  readonly name: string
  /** Alerts that need attention; absent: none. With hundreds of projects, each word is on each page as often. */
  readonly openAlerts?: number
  /** A channel was turned off automatically: its receiver gets no alerts. */
  readonly hasDeadChannel?: true
  /** The viewer's role. */
  readonly role: Role
}

interface Props {
  readonly projects: readonly ShellProject[]
  /** Null: outside of projects. */
  readonly current: string | null
}

/** The current project, and the others. */
export function ProjectSwitcher(props: Props) {
  const name = props.projects.find(({ slug }) => slug === props.current)?.name ?? 'All projects'
  return (
    <Menu label={name} icon="updown" isNamed at="start">
      <ProjectLinks {...props} most={20} />
      <hr />
      <Link href="/?new=1">New project</Link>
    </Menu>
  )
}

/**
 * Links to the page of all projects and, by name, to at most so many of them: every page has this menu. The home page
 * and the palette find the others.
 */
export function ProjectLinks({ projects, current, most }: Props & { readonly most: number }) {
  const all = projects.length > most ? `All ${projects.length} projects` : 'All projects'
  return (
    <>
      <Link href="/" aria-current={current === null ? 'true' : undefined}>
        {all}
      </Link>
      {projects.slice(0, most).map(({ slug, name }) => (
        <Link key={slug} href={`/p/${slug}`} aria-current={slug === current ? 'true' : undefined}>
          {name}
        </Link>
      ))}
    </>
  )
}
