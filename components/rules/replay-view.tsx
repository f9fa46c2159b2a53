import { compareUrl } from '@/lib/judge/compare-url'
import { PlotPanel } from '../charts/plot/panel'
import type { Prepared } from '../charts/plot/model'
import { Link } from '../ui/links/link'
import { seriesWords } from '@/lib/rules/alert-words'
import { formatTime, plural } from '@/lib/format'
import type { Firing } from '@/lib/rules/replay'
import styles from './rules.module.css'

interface Props {
  readonly projectSlug: string
  readonly firings: readonly Firing[]
  readonly days: number
  /** The part of the history that was not evaluated, in a sentence; null: none. */
  readonly omitted: string | null
  /** Where it would have fired, a chart for each of the series with the most firings. */
  readonly charts: readonly { readonly name: string; readonly prepared: Prepared }[]
  /** The charts that are shown as tables, by their ids. */
  readonly tables: readonly string[]
}

const maxShown = 50

/** How often a rule would have fired, and when: each linked to what it would have reported. */
export function ReplayView({ projectSlug, firings, days, omitted, charts, tables }: Props) {
  const times = firings.length === 1 ? 'once' : plural(firings.length, 'time')
  return (
    <section className={styles.replay} aria-label="Replay">
      <p className="bold below-8">
        {firings.length === 0
          ? `This rule would not have fired in the last ${days} days.`
          : `This rule would have fired ${times} in the last ${days} days:`}
      </p>
      {charts.map(({ name, prepared }) => (
        <div key={prepared.plot.id} className="below-12">
          <PlotPanel prepared={prepared} tables={tables} tools={<span className="muted">{name}</span>} />
        </div>
      ))}
      {firings.length > 0 && (
        <ol className={`linked grid gap-4 ${styles.firings}`}>
          {firings.slice(0, maxShown).map((firing, at) => (
            <li key={at}>
              <time dateTime={firing.at}>{formatTime(firing.at)}</time>
              <span>
                <Link href={hrefOf(firing, projectSlug)}>{titleOf(firing)}</Link>
                {firing.profile !== null && <span className="muted"> {seriesWords(firing.profile.series)}</span>}
              </span>
            </li>
          ))}
        </ol>
      )}
      {firings.length > maxShown && <p className="muted">Only the newest {maxShown} are shown.</p>}
      {omitted !== null && <p className="muted">{omitted}</p>}
    </section>
  )
}

function titleOf({ titles }: Firing): string {
  const [first = '', ...others] = titles
  return others.length === 0 ? first : `${first}, and ${plural(others.length, 'more change')}`
}

function hrefOf({ link }: Firing, projectSlug: string): string {
  const path = `/p/${projectSlug}`
  switch (link.to) {
    case 'compare':
      return compareUrl(projectSlug, link.sides, null)
    case 'run':
      return `${path}/runs/${link.runId}`
    case 'upload':
      return `${path}/upload/${link.uploadId}`
  }
}
