import type { TokenRow } from '@/lib/account/account'
import { formatDay, plural } from '@/lib/format'
import { ConfirmButton } from '../forms/confirm-button'
import { actions, ListTable } from '../ui/list-table'
import { Time } from '../ui/time'
import styles from './account.module.css'

interface Props {
  readonly tokens: readonly TokenRow[]
  /** API path for revoking them: the id follows. */
  readonly api: string
  /** They open this one project: the table names their accounts, not their projects. */
  readonly isOfProject?: boolean
  readonly nowMs: number
}

/** API tokens: what each may do, and whether it is used. Their secrets are not stored. */
export function TokensTable({ tokens, api, isOfProject = false, nowMs }: Props) {
  const owner = isOfProject ? 'Account' : 'Project'
  return (
    <ListTable isStacked label="API tokens" head={['Name', 'Token', 'Scope', owner, 'Last used', 'Expires', actions]}>
      {tokens.map(({ id, name, hint, scope, project, parent, accountName, lastUsedAt, expiresAt }) => (
        <tr key={id}>
          <th scope="row" className={styles.name}>
            {name}
            {parent !== null && <div className="muted">made by the token {parent.name}</div>}
          </th>
          <td className="mono">{hint}</td>
          <td>{scope}</td>
          <td>{isOfProject ? accountName : (project?.name ?? 'all projects')}</td>
          <td data-label="Last used">{lastUsedAt === null ? 'never' : <Time at={lastUsedAt} nowMs={nowMs} />}</td>
          <td
            data-label="Expires"
            className={expiresAt !== null && Date.parse(expiresAt) <= nowMs ? 'worse' : undefined}
          >
            {expiresAt === null ? 'never' : formatDay(expiresAt)}
          </td>
          <td>
            <ConfirmButton
              url={`${api}/${id}`}
              verb="Revoke"
              name={`the token ${name}`}
              done={`Token ${name} revoked`}
              consequence={consequenceOf(countMade(tokens, id))}
            />
          </td>
        </tr>
      ))}
    </ListTable>
  )
}

/** How many tokens end with one: those that it made, and those that they made. */
function countMade(tokens: readonly TokenRow[], id: string): number {
  const made = tokens.filter(({ parent }) => parent?.id === id)
  return made.reduce((sum, one) => sum + countMade(tokens, one.id), made.length)
}

const consequenceOf = (made: number): string | null => (made === 0 ? null : `with ${plural(made, 'token')} made by it`)
