import { commitUrl } from '@/lib/project/repository'
import { Link } from './link'

interface LabelChipsProps {
  readonly labels: Readonly<Record<string, string>>
  /** Labels told by their number only, and on hover. */
  readonly folded?: Readonly<Record<string, string>>
  readonly hrefOf?: (key: string, value: string) => string
  /** Where commits are seen: those that are hashes get a link of their own. */
  readonly repositoryUrl?: string | null
}

/** Labels as chips, `key=value`; with `hrefOf` each is a link (to the runs that carry it). Nothing when there are none. */
export function LabelChips({ labels, folded = {}, hrefOf, repositoryUrl = null }: LabelChipsProps) {
  const entries = Object.entries(labels)
  const more = Object.entries(folded).map(([key, value]) => `${key}=${value}`)
  const commit = labels['commit'] === undefined ? null : commitUrl(repositoryUrl, labels['commit'])
  if (entries.length === 0 && more.length === 0) return null
  return (
    <span className="chips">
      {entries.map(([key, value]) =>
        hrefOf ? (
          <Link key={key} className="chip" href={hrefOf(key, value)} title={`Runs with ${key}=${value}`}>
            {key}={value}
          </Link>
        ) : (
          <span key={key} className="chip">
            {key}={value}
          </span>
        ),
      )}
      {commit === null ? null : (
        <a className="chip" href={commit} rel="noreferrer">
          View commit
        </a>
      )}
      {more.length > 0 ? (
        <span className="chip muted" title={more.join('\n')}>
          +{more.length}
          <span className="visually-hidden">: {more.join(', ')}</span>
        </span>
      ) : null}
    </span>
  )
}
