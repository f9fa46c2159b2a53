import { Link } from '../ui/links/link'
import { formatCount, plural } from '@/lib/format'
import { shareIsOpen, type ShareSummary } from '@/lib/project/stored-shares'
import { compareHref } from '../../lib/judge/compare-url'
import { splitSides } from '../../lib/judge/compare-url'
import { ConfirmButton } from '../forms/confirm-button'
import { actions, ListTable } from '../ui/list-table'
import { IfAllowed } from '../ui/actions/access'
import { Time } from '../ui/time'
import { EmbedChoice } from './embed-choice'
import { formatDay } from '../../lib/format'

interface Props {
  readonly slug: string
  readonly shares: readonly ShareSummary[]
  readonly nowMs: number
}

/** Every link of a project, open or ended: what it shows, until when, its views, and the button that ends it. */
export function SharesTable({ slug, shares, nowMs }: Props) {
  return (
    <ListTable
      isStacked
      label="Shares"
      head={['Name', 'Shows', 'Created', 'State', 'Embed', 'Views', 'Last view', actions]}
      numbers={['Views']}
    >
      {shares.map((share) => (
        <tr key={share.id}>
          <th scope="row">
            <Link href={originalOf(slug, share)}>{share.name}</Link>
          </th>
          <td className="nowrap">
            {share.kind === 'run' ? 'a run' : `a ${share.kind} of ${plural(share.runIds.length, 'run')}`}
            {share.includeRaw && <span className="muted">, raw output</span>}
            {share.includeWhy && <span className="muted">, what it stands with</span>}
          </td>
          <td data-label="Created">
            <Time at={share.createdAt} nowMs={nowMs} />
          </td>
          <td className="nowrap">{stateOf(share, nowMs)}</td>
          <td className="nowrap" data-label="Embed">
            {shareIsOpen(share, nowMs) ? (
              <EmbedChoice slug={slug} id={share.id} name={share.name} embeddable={share.embeddable} />
            ) : (
              '–'
            )}
          </td>
          <td className="num" data-label="Views">
            {formatCount(share.viewCount)}
          </td>
          <td data-label="Last view">
            {share.lastViewedAt === null ? '–' : <Time at={share.lastViewedAt} nowMs={nowMs} />}
          </td>
          <td>
            {shareIsOpen(share, nowMs) && (
              <IfAllowed need="edit">
                <ConfirmButton
                  verb="Revoke"
                  name={share.name}
                  url={`/api/v1/projects/${slug}/shares/${share.id}`}
                  done={`“${share.name}” revoked: its link no longer works`}
                />
              </IfAllowed>
            )}
          </td>
        </tr>
      ))}
    </ListTable>
  )
}

/** The page in the project that was shared. */
function originalOf(slug: string, { kind, runIds, sideSizes, view }: ShareSummary): string {
  if (kind === 'run') return `/p/${slug}/runs/${runIds[0] ?? ''}`
  if (kind === 'board') return `/p/${slug}${view === '' ? '' : `?${view}`}`
  if (kind === 'matrix') return `/p/${slug}/matrix?runs=${runIds.join(',')}${view === '' ? '' : `&${view}`}`
  return compareHref(slug, splitSides(runIds, sideSizes), view)
}

function stateOf({ revokedAt, expiresAt }: ShareSummary, nowMs: number) {
  if (revokedAt !== null) return <span className="muted">revoked {formatDay(revokedAt)}</span>
  if (expiresAt === null) return 'open, never expires'
  const date = formatDay(expiresAt)
  return Date.parse(expiresAt) <= nowMs ? <span className="muted">expired {date}</span> : `expires ${date}`
}
