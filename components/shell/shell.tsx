'use client'

import { Link } from '../ui/link'
import { useParams, usePathname, useRouter } from 'next/navigation'
import { useEffect, type ReactNode } from 'react'
import { Shortcuts } from '../palette/shortcuts'
import { DropAnywhere } from '../upload/drop-anywhere'
import { Icon, type IconName } from '../ui/icon'
import { ProjectSwitcher, type ShellProject } from './project-switcher'
import styles from './shell.module.css'
import { ThemeSwitch } from './theme-switch'

const sections: readonly { readonly path: string; readonly name: string; readonly icon: IconName }[] = [
  { path: 'runs', name: 'Runs', icon: 'runs' },
  { path: 'compare', name: 'Compare', icon: 'compare' },
  { path: 'matrix', name: 'Matrix', icon: 'matrix' },
  { path: 'comparisons', name: 'Comparisons', icon: 'saved' },
  { path: 'trends', name: 'Trends', icon: 'trends' },
  { path: 'alerts', name: 'Alerts', icon: 'alerts' },
  { path: 'upload', name: 'Upload', icon: 'upload' },
  { path: 'shares', name: 'Shares', icon: 'share' },
  { path: 'settings', name: 'Settings', icon: 'settings' },
]

/** The frame of every page: rail on the left (icons below 1100 px, a bar at the bottom below 700 px), page on the right. */
export function Shell({ projects, children }: { projects: readonly ShellProject[]; children: ReactNode }) {
  const { project } = useParams<{ project?: string }>()
  const pathname = usePathname()
  const router = useRouter()
  const slug = typeof project === 'string' ? project : null
  const current = projects.find((one) => one.slug === slug)
  const isKnown = current !== undefined
  // Made since this frame was drawn (by a drop, or by curl): draw it again. At an address of nothing it stays unknown.
  useEffect(() => {
    if (slug !== null && !isKnown) router.refresh()
  }, [slug, isKnown, router])
  return (
    <div className={styles.frame}>
      <a className="skip-link" href="#page">
        Skip to content
      </a>
      <nav className={styles.rail} aria-label="Main">
        <div className={styles.head}>
          <Link href="/" className={styles.brand} aria-label="Tailboard, home">
            <Icon name="brand" />
            <span className="rail-word">Tailboard</span>
          </Link>
          <ProjectSwitcher projects={projects} current={isKnown ? slug : null} />
          <Shortcuts
            pages={[
              ...(isKnown ? sections.map(({ path, name }) => ({ href: `/p/${slug}/${path}`, name })) : []),
              { href: '/', name: 'Home' },
              { href: '/learn', name: 'Learn' },
            ]}
            projects={projects.map((one) => ({ href: `/p/${one.slug}/runs`, name: one.name }))}
            projectSlug={isKnown ? slug : null}
          />
        </div>
        <ul className={styles.sections}>
          <Section href="/" name="Home" icon="home" here={pathname === '/'} />
          {isKnown &&
            sections.map(({ path, name, icon }) => (
              <Section
                key={path}
                href={`/p/${slug}/${path}`}
                name={name}
                icon={icon}
                count={path === 'alerts' ? (current?.openAlerts ?? 0) : 0}
                warning={path === 'alerts' && current?.hasDeadChannel ? 'a notification channel is disabled' : null}
                here={pathname === `/p/${slug}/${path}` || pathname.startsWith(`/p/${slug}/${path}/`)}
              />
            ))}
          <Section href="/learn" name="Learn" icon="learn" here={/^\/learn(\/|$)/.test(pathname)} isSpare={isKnown} />
        </ul>
        <div className={styles.foot}>
          <ThemeSwitch />
        </div>
      </nav>
      <main id="page" className={styles.page} tabIndex={-1}>
        {children}
      </main>
      <DropAnywhere projectSlug={slug} projects={projects} />
    </div>
  )
}

interface SectionProps {
  readonly href: string
  readonly name: string
  readonly icon: IconName
  readonly here: boolean
  /** Things there that wait for somebody; none are not shown. */
  readonly count?: number
  /** What is wrong there, in words; null: nothing. */
  readonly warning?: string | null
  /** Left out of the bar at the bottom, where a project's own sections need the room. */
  readonly isSpare?: boolean
}

function Section({ href, name, icon, here, count = 0, warning = null, isSpare = false }: SectionProps) {
  return (
    <li className={isSpare ? styles.spare : undefined}>
      <Link
        href={href}
        className={styles.section}
        aria-current={here ? 'page' : undefined}
        title={warning === null ? name : `${name}: ${warning}`}
      >
        <Icon name={icon} />
        <span className="rail-word">{name}</span>
        {count > 0 && (
          <span className={styles.count}>
            {count > 99 ? '99+' : count}
            <span className="visually-hidden"> open</span>
          </span>
        )}
        {warning !== null && (
          <span className={styles.warning}>
            !<span className="visually-hidden"> {warning}</span>
          </span>
        )}
      </Link>
    </li>
  )
}
