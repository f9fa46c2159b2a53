import { Link } from './links/link'
import styles from './tabs.module.css'

export interface Tab {
  readonly name: string
  readonly href: string
  readonly isHere: boolean
  /** Number of items; null: not counted. */
  readonly count?: number | null
}

/** Views of one destination, as links in a row. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav className={`flex screen-only ${styles.tabs}`} aria-label={label}>
      {tabs.map(({ name, href, isHere, count = null }) => (
        <Link key={name} href={href} aria-current={isHere ? 'page' : undefined}>
          {name}
          {count === null ? null : <span className="muted regular"> {count}</span>}
        </Link>
      ))}
    </nav>
  )
}
