import { Link } from '../ui/link'
import { listHref } from './list-url'

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
