import { Link } from '../ui/link'
import { PageLinks } from '../ui/page-links'
import { listHref } from './list-url'

interface PagerProps {
  readonly path: string
  readonly params: URLSearchParams
  readonly sort: string
  readonly nextCursor: string | null
}

/** Onwards through the list of runs and back to its beginning; nothing when it has one page. */
export function Pager({ path, params, sort, nextCursor }: PagerProps) {
  const byTime = sort === 'time' && params.get('direction') !== 'asc'
  const first = params.get('cursor') ? { href: listHref(path, params), name: byTime ? 'Newest' : 'First page' } : null
  const next =
    nextCursor === null
      ? null
      : { href: listHref(path, params, { cursor: nextCursor }), name: byTime ? 'Older' : 'Next page' }
  return <PageLinks label="Pages" first={first} next={next} />
}

/** Leads from every run to one line for each experiment, and back. */
export function RepeatsSwitch({ path, params }: { readonly path: string; readonly params: URLSearchParams }) {
  const isGrouped = params.get('group') === 'repeats'
  return (
    <p className="muted">
      {isGrouped
        ? 'Runs of one experiment, commit, version or build (else of one upload) are grouped: median, with the range from min to max. '
        : null}
      <Link href={listHref(path, params, { group: isGrouped ? null : 'repeats' })}>
        {isGrouped ? 'List every run' : 'Group repeats'}
      </Link>
    </p>
  )
}
