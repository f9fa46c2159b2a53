'use client'

import { useParams, usePathname, useRouter } from 'next/navigation'
import { useEffect, type ReactNode } from 'react'
import { Shortcuts } from '../palette/shortcuts'
import { Brand, Icon, type IconName } from '../ui/icon'
import { Link } from '../ui/links/link'
import { AccessProvider, IfAllowed, type Access } from '../ui/actions/access'
import { Menu } from '../ui/menu'
import { roleAllows } from '@/lib/viewer'
import { DropAnywhere } from '../upload/drop-anywhere'
import { AccountLinks, AccountMenu, SignOutForm, type ShellAccount } from './account-menu'
import { destinations, isAt, isOffered, morePages, projectHref, settings } from './destinations'
import { PrintFoot } from './print-foot'
import { ProjectLinks, ProjectSwitcher, type ShellProject } from './project-switcher'
import styles from './shell.module.css'
import { ThemeSwitch } from './theme-switch'

interface Props {
  readonly projects: readonly ShellProject[]
  /** Null: a server without accounts. */
  readonly account: ShellAccount | null
  /** Of this Tailboard. */
  readonly version: string
  readonly children: ReactNode
}

/**
 * The frame of every page: rail on the left (icons below 1100 px, a bar at the bottom below 700 px), page on the right.
 */
export function Shell({ projects, account, version, children }: Props) {
  const { project } = useParams<{ project?: string }>()
  const router = useRouter()
  const slug = typeof project === 'string' ? project : null
  const current = projects.find((one) => one.slug === slug) ?? null
  const isKnown = current !== null
  // Made since this frame was drawn (by a drop, or by curl): draws it again. An unknown address stays unknown.
  useEffect(() => {
    if (slug !== null && !isKnown) router.refresh()
  }, [slug, isKnown, router])
  const access: Access = { project: current, role: current?.role ?? 'admin', hasAccounts: account !== null }
  return (
    <AccessProvider access={access}>
      <div className={`grid ${styles.frame}`}>
        <a className="skip-link" href="#page">
          Skip to content
        </a>
        <header className={`flex screen-only ${styles.rail}`}>
          <Rail projects={projects} current={current} account={account} version={version} />
          <Shortcuts
            pages={pagesOf(current, account, access)}
            projects={projects.map((one) => ({ href: projectHref(one.slug, ''), name: one.name }))}
            projectSlug={current?.slug ?? null}
          />
        </header>
        <main id="page" className={`slim ${styles.page}`} tabIndex={-1}>
          {children}
          <PrintFoot />
        </main>
        <DropAnywhere projectSlug={slug} projects={projects.filter(({ role }) => roleAllows(role, 'upload'))} />
      </div>
    </AccessProvider>
  )
}

interface RailProps extends Place {
  readonly projects: readonly ShellProject[]
  readonly account: ShellAccount | null
}

function Rail({ projects, current, account, version }: RailProps & Pick<Props, 'version'>) {
  return (
    <>
      <Link href="/" className={`row gap-8 text wide-only ${styles.brand}`} aria-label="Tailboard, home">
        <Brand />
        <span className="rail-word">Tailboard</span>
      </Link>
      <div className={`wide-only ${styles.switcher}`}>
        <ProjectSwitcher projects={projects} current={current?.slug ?? null} />
      </div>
      <IfAllowed need="upload">
        <Link
          className={`button button-primary wide-only ${styles.upload}`}
          href={current === null ? '/#upload' : projectHref(current.slug, 'upload')}
          aria-keyshortcuts="U"
          title="Upload output (U)"
        >
          <Icon name="upload" />
          <span className="rail-word">Upload</span>
          <kbd className="rail-word" aria-hidden="true">
            U
          </kbd>
        </Link>
      </IfAllowed>
      <MainNav current={current} version={version} />
      {account !== null && <AccountMenu account={account} />}
      <MoreMenu projects={projects} current={current} account={account} />
      {account !== null && <SignOutForm />}
    </>
  )
}

interface Place {
  /** Null: outside of all projects. */
  readonly current: ShellProject | null
}

function MainNav({ current, version }: Place & Pick<Props, 'version'>) {
  const pathname = usePathname()
  const isLearn = /^\/learn(\/|$)/.test(pathname)
  return (
    <nav className={`flex fill ${styles.main}`} aria-label="Main">
      <ul className={`flex ${styles.sections}`}>
        {current === null ? (
          <>
            <Section href="/" name="Home" icon="home" isHere={pathname === '/'} />
            <IfAllowed need="upload">
              <Section href="/#upload" name="Upload" icon="upload" isHere={false} isOfBar />
            </IfAllowed>
          </>
        ) : (
          destinations.map((one) => (
            <Section
              key={one.path}
              href={projectHref(current.slug, one.path)}
              name={one.name}
              icon={one.icon}
              count={one.path === 'alerts' ? (current.openAlerts ?? 0) : 0}
              warning={one.path === 'alerts' && current.hasDeadChannel ? 'a notification channel is disabled' : null}
              isHere={isAt(current.slug, one, pathname)}
              isSpare={one.path === 'trends'}
            />
          ))
        )}
      </ul>
      <ul className={`flex ${styles.sections} ${styles.foot}`}>
        {current !== null && (
          <Section
            href={projectHref(current.slug, settings.path)}
            name={settings.name}
            icon={settings.icon}
            isHere={isAt(current.slug, settings, pathname)}
            isSpare
          />
        )}
        <Section href="/learn" name="Learn" icon="learn" isHere={isLearn} isSpare={current !== null} />
        <li className={`wide-only ${styles.spare}`}>
          <ThemeSwitch />
        </li>
        <li className={`wide-only muted text-12 ${styles.spare} ${styles.version}`}>
          <span className="rail-word">Tailboard {version}</span>
        </li>
      </ul>
    </nav>
  )
}

function MoreMenu({ projects, current, account }: RailProps) {
  return (
    <Menu label="More" icon="more" isNamed at="above" className={styles.more}>
      {current !== null && (
        <>
          <IfAllowed need="upload">
            <Link href={projectHref(current.slug, 'upload')}>Upload</Link>
          </IfAllowed>
          <Link href={projectHref(current.slug, 'trends')}>Trends</Link>
          <Link href={projectHref(current.slug, 'settings')}>Settings</Link>
          <Link href="/learn">Learn</Link>
          <hr />
        </>
      )}
      <ProjectLinks projects={projects} current={current?.slug ?? null} most={8} />
      <hr />
      <ThemeSwitch isNamed />
      {account !== null && (
        <>
          <hr />
          <AccountLinks account={account} />
        </>
      )}
    </Menu>
  )
}

/** Pages in the palette. */
function pagesOf(current: ShellProject | null, account: ShellAccount | null, access: Access) {
  return [
    ...(current === null
      ? []
      : [...destinations, ...morePages.filter((page) => isOffered(page, access)), settings].map(({ path, name }) => ({
          href: projectHref(current.slug, path),
          name,
        }))),
    { href: '/', name: 'Home' },
    { href: '/?new=1', name: 'New project' },
    { href: '/learn', name: 'Learn' },
    ...(account === null ? [] : [{ href: '/account', name: 'Account' }]),
    ...(account?.isOwner === true ? [{ href: '/people', name: 'People' }] : []),
  ]
}

interface SectionProps {
  readonly href: string
  readonly name: string
  readonly icon: IconName
  readonly isHere: boolean
  /** Number of open alerts; 0 is not shown. */
  readonly count?: number
  /** A problem there, in words; null: none. */
  readonly warning?: string | null
  /** Left out of the bar at the bottom, whose menu has it. */
  readonly isSpare?: boolean
  /** Only in that bar: the rail has it as a button. */
  readonly isOfBar?: boolean
}

function Section({ href, name, icon, isHere, count = 0, warning = null, isSpare, isOfBar }: SectionProps) {
  return (
    <li className={isSpare ? `wide-only ${styles.spare}` : isOfBar ? styles.ofBar : undefined}>
      <Link
        href={href}
        className={`row muted text-13 medium ${styles.section}`}
        aria-current={isHere ? 'page' : undefined}
        title={warning === null ? name : `${name}: ${warning}`}
      >
        <Icon name={icon} />
        <span className={`rail-word ${styles.word}`}>{name}</span>
        {count > 0 && (
          <span className={`bold worse push ${styles.count}`}>
            {count > 99 ? '99+' : count}
            <span className="visually-hidden"> open</span>
          </span>
        )}
        {warning !== null && (
          <span className={`bold worse push ${styles.warning}`}>
            !<span className="visually-hidden"> {warning}</span>
          </span>
        )}
      </Link>
    </li>
  )
}
