import { Link } from '../ui/links/link'
import styles from './learn.module.css'
import { terms, type TermName } from './terms'

/** A word of the page that links to its explanation. Not for shared pages: no link leads out of those. */
export function Term({ of, children }: { readonly of: TermName; readonly children: string }) {
  return (
    <Link href={`/learn#${of}`} className={styles.term} title={terms[of].means}>
      {children}
    </Link>
  )
}
