import type { ReactNode } from 'react'
import { FindButton } from '../palette/find-button'
import { Link } from '../ui/links/link'
import styles from './page-bar.module.css'

export interface Crumb {
  readonly name: string
  readonly href: string
}

interface Props {
  /** The project of the page; absent on pages without one. */
  readonly project?: { readonly slug: string; readonly name: string }
  /** The levels between the project and the page, outermost first. */
  readonly crumbs?: readonly Crumb[]
  /** Name of the page itself. */
  readonly here: string
  /** The page has no other heading: this one names it. */
  readonly isHeading?: boolean
  /** At most two buttons and a menu. */
  readonly children?: ReactNode
}

/** The bar above a page: where it is, the search, and actions on its contents. */
export function PageBar({ project, crumbs = [], here, isHeading = false, children }: Props) {
  const above = project === undefined ? crumbs : [{ name: project.name, href: `/p/${project.slug}` }, ...crumbs]
  return (
    <div className={`row gap-8 ${styles.bar}`}>
      <nav className={`row text-13 nowrap fill slim ${styles.crumbs}`} aria-label="Breadcrumbs">
        {above.map(({ name, href }) => (
          <span key={href} className={`flex muted ${styles.crumb}`}>
            <Link href={href}>{name}</Link>
          </span>
        ))}
        {isHeading ? (
          <h1 className={styles.here}>{here}</h1>
        ) : (
          <span className={styles.here} aria-current="page">
            {here}
          </span>
        )}
      </nav>
      <FindButton />
      {children}
    </div>
  )
}
