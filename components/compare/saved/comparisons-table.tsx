import { Link } from '../../ui/links/link'
import type { SavedComparison } from '@/lib/project/stored-comparisons'
import { ListTable } from '../../ui/list-table'
import { Time } from '../../ui/time'

/** Saved comparisons, last changed first. */
export function ComparisonsTable(props: { readonly saved: readonly SavedComparison[]; readonly nowMs: number }) {
  return (
    <ListTable isStacked label="Saved comparisons" head={['Name', 'Kind', 'Take-aways', 'Changed']}>
      {props.saved.map((one) => (
        <tr key={one.id}>
          <th scope="row">
            <Link href={`/p/${one.projectSlug}/comparisons/${one.id}`}>{one.name}</Link>
          </th>
          <td>{one.kind === 'matrix' ? 'matrix' : 'comparison'}</td>
          <td className="muted">{firstLine(one.takeaways) || 'none yet'}</td>
          <td>
            <Time at={one.updatedAt} nowMs={props.nowMs} />
          </td>
        </tr>
      ))}
    </ListTable>
  )
}

function firstLine(markdown: string): string {
  const line = markdown.split('\n').find((one) => one.trim() !== '') ?? ''
  return line.replace(/^[#>*\-\s]+/, '').slice(0, 120)
}
