import { PageLinks } from '../ui/links/page-links'
import { listHref } from './list-url'

interface PagerProps {
  readonly path: string
  readonly params: URLSearchParams
  readonly sort: string
  readonly nextCursor: string | null
}

/** Links to the next page of runs and back to the first; nothing if there is one page. */
export function Pager({ path, params, sort, nextCursor }: PagerProps) {
  const byTime = sort === 'time' && params.get('direction') !== 'asc'
  const first = params.get('cursor') ? { href: listHref(path, params), name: byTime ? 'Newest' : 'First page' } : null
  const next =
    nextCursor === null
      ? null
      : { href: listHref(path, params, { cursor: nextCursor }), name: byTime ? 'Older' : 'Next page' }
  return <PageLinks label="Pages" first={first} next={next} />
}
