import { Link } from '../ui/link'
import { listHref } from './list-url'
import styles from './pager.module.css'

interface PagerProps {
  readonly path: string
  readonly params: URLSearchParams
  readonly sort: string
  readonly nextCursor: string | null
}

/** Onwards through the list and back to its beginning; nothing when it has one page. */
export function Pager({ path, params, sort, nextCursor }: PagerProps) {
  const isFirst = !params.get('cursor')
  if (isFirst && nextCursor === null) return null
  const byTime = sort === 'time' && params.get('direction') !== 'asc'
  return (
    <nav className={styles.pager} aria-label="Pages">
      {isFirst ? null : (
        <Link className="button" href={listHref(path, params)}>
          {byTime ? 'Newest' : 'First page'}
        </Link>
      )}
      {nextCursor === null ? null : (
        <Link className="button" href={listHref(path, params, { cursor: nextCursor })}>
          {byTime ? 'Older' : 'Next page'}
        </Link>
      )}
    </nav>
  )
}
