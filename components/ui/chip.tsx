import { commitUrl } from '@/lib/project/repository'
import { Link } from './links/link'

interface LabelChipsProps {
  readonly labels: Readonly<Record<string, string>>
  /** Labels shown as a count only, and on hover; those that hold an address show their key, as a link. */
  readonly folded?: Readonly<Record<string, string>>
  readonly hrefOf?: (key: string, value: string) => string
  /** Where commits are shown: hashes become links there. */
  readonly repositoryUrl?: string | null
}

/**
 * Labels as chips, `key=value`. One that holds an address links to it; with `hrefOf`, the others link to the runs with
 * them. Nothing when there are none.
 */
export function LabelChips({ labels, folded = {}, hrefOf, repositoryUrl = null }: LabelChipsProps) {
  const entries = Object.entries(labels)
  const linked = Object.entries(folded).filter(([, value]) => isWebAddress(value))
  const more = Object.entries(folded)
    .filter(([, value]) => !isWebAddress(value))
    .map(([key, value]) => `${key}=${value}`)
  const commit = labels['commit'] === undefined ? null : commitUrl(repositoryUrl, labels['commit'])
  if (entries.length === 0 && linked.length === 0 && more.length === 0) return null
  return (
    <span className="chips">
      {entries.map(([key, value]) =>
        isWebAddress(value) ? (
          <a key={key} className="chip" href={value} rel="noreferrer">
            {key}={value}
          </a>
        ) : hrefOf ? (
          <Link key={key} className="chip" href={hrefOf(key, value)} title={`Runs with ${key}=${value}`}>
            {key}={value}
          </Link>
        ) : (
          <span key={key} className="chip">
            {key}={value}
          </span>
        ),
      )}
      {linked.map(([key, value]) => (
        <a key={key} className="chip" href={value} rel="noreferrer" title={value}>
          {key}
        </a>
      ))}
      {commit === null ? null : (
        <a className="chip" href={commit} rel="noreferrer">
          View commit
        </a>
      )}
      {more.length > 0 ? (
        <span className="chip" title={more.join('\n')}>
          +{more.length}
          <span className="visually-hidden">: {more.join(', ')}</span>
        </span>
      ) : null}
    </span>
  )
}

/** Whether a label's value is an address that a browser may open: http or https, and nothing else. */
const isWebAddress = (value: string): boolean =>
  /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
