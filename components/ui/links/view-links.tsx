import { Link } from './link'
import styles from './view-links.module.css'

interface Choice {
  readonly name: string
  readonly href: string
  readonly isChosen: boolean
}

/** A choice in the address, as links in a row: works without JavaScript, keeps the scroll position. */
export function ViewLinks({ label, choices }: { label: string; choices: readonly Choice[] }) {
  return (
    <nav className={`flex ${styles.links}`} aria-label={label}>
      {choices.map(({ name, href, isChosen }) => (
        <Link
          key={name}
          href={href}
          scroll={false}
          replace
          className={styles.tool}
          aria-current={isChosen ? 'true' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
