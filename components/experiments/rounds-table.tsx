import { roundRows } from '@/lib/export/experiment-rounds'
import { Fact } from '../facts/fact'
import { Link } from '../ui/links/link'
import { ListTable } from '../ui/list-table'
import type { ExperimentProps } from './experiment-props'
import styles from './experiment.module.css'

const change = 'head against base'

/** Each round, newest first: its order, its runs, and why it is void. */
export function RoundsTable({ slug, progress }: Pick<ExperimentProps, 'slug' | 'progress'>) {
  const { heads, rows } = roundRows(progress)
  if (rows.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby="rounds">
      <h2 id="rounds" className={styles.title}>
        Rounds
      </h2>
      <ListTable
        label="Rounds, newest first"
        head={['Round', 'Order', ...heads, change, 'Note']}
        numbers={[...heads, change]}
        isStacked
      >
        {rows.map((row) => (
          <tr key={row.round}>
            <th scope="row">{row.round}</th>
            <td className="nowrap">{row.order}</td>
            {row.cells.map(({ text, runId, fact }, at) => (
              <Fact key={heads[at]} of={fact} as="td" className="num" data-label={heads[at]}>
                {runId === null ? text : <Link href={`/p/${slug}/runs/${runId}`}>{text}</Link>}
              </Fact>
            ))}
            <td className="num" data-label={change}>
              {row.change}
            </td>
            <td className={row.isVoid ? 'unusual' : 'muted'}>{row.note}</td>
          </tr>
        ))}
      </ListTable>
    </section>
  )
}
