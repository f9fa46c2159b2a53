import { formatMoment } from '@/lib/format'
import type { RunPast, RunRow } from '@/lib/history/stored-runs'
import { urgentStates } from '@/lib/run/judged-states'
import { defaultMetric } from '@/lib/run/metrics'
import { StripTip } from '../../charts/plot/rows/strip-tip'
import { RefreshOnChange } from '../../live/refresh-on-change'
import { PastStrip } from '../../runs/past-strip'
import { runName } from '../../runs/run-name'
import { Link } from '../../ui/links/link'
import { ListTable } from '../../ui/list-table'
import { StateMark } from '../../ui/state-mark'
import { figureColumns } from '../draft/prepare-preview'
import styles from './many.module.css'

interface Props {
  readonly project: { readonly slug: string; readonly version: string }
  /** The runs that were saved, in the order of the files. */
  readonly runs: readonly RunRow[]
  readonly pasts: ReadonlyMap<string, RunPast>
}

/** The same table once it is saved: states follow as the runs are judged. */
export function ManySaved({ project: { slug, version }, runs, pasts }: Props) {
  const columns = figureColumns(runs.map(({ figures }) => figures))
  const judged = runs.filter((run) => run.judged !== null)
  const urgent = judged.filter((run) => urgentStates.some((state) => state === run.judged?.state))
  const waiting = runs.length - judged.length
  const hasPasts = runs.some(({ id }) => (pasts.get(id)?.values.length ?? 0) > 1)
  return (
    <div className={`grid ${styles.saved}`}>
      {waiting > 0 && <RefreshOnChange slug={slug} version={version} />}
      {hasPasts && <StripTip />}
      <ListTable
        label="Saved runs"
        head={[
          ...['State', 'Run', ...columns.map(headOf)],
          ...(hasPasts ? [`${defaultMetric.shortLabel}, 20 runs to here`] : []),
          'Judgement',
        ]}
        numbers={columns.map(headOf)}
      >
        {runs.map((run, at) => (
          <tr key={run.id}>
            <td>
              <StateMark judged={run.judged} runId={run.id} />
            </td>
            <th scope="row">
              <Link href={`/p/${slug}/runs/${run.id}`}>{runName(run)}</Link>{' '}
              <span className="muted regular nowrap">{formatMoment(run.orderedAt)}</span>
            </th>
            {columns.map(({ id, texts }) => (
              <td key={id} className="num">
                {texts[at]}
              </td>
            ))}
            {hasPasts && (
              <td className={styles.past}>
                <PastStrip past={pasts.get(run.id)} state={run.judged?.state ?? null} metric={defaultMetric} />
              </td>
            )}
            <td className="muted">{run.judged?.sentence ?? 'being judged …'}</td>
          </tr>
        ))}
      </ListTable>
      <aside className="grid gap-12" aria-label="What was saved">
        <div role="status">
          <p className="muted flush">
            {judged.length} judged{waiting > 0 ? `, ${waiting} being judged` : ''}.{' '}
            {urgent.length === 0 ? 'Nothing needs attention so far.' : `${urgent.length} need attention.`}
          </p>
        </div>
        <progress className="full" aria-label="Runs judged" value={judged.length} max={runs.length} />
        <div className="flex wrap gap-8">
          <Link className="button" href={`/p/${slug}`}>
            Board
          </Link>
          <Link className="button" href={`/p/${slug}/matrix?runs=${runs.map(({ id }) => id).join(',')}`}>
            Matrix of these runs
          </Link>
        </div>
      </aside>
    </div>
  )
}

const headOf = ({ label, unit }: { readonly label: string; readonly unit: string }): string =>
  unit === '' || unit === '/s' ? label : `${label}, ${unit}`
