import { formatCount, plural } from '@/lib/format'
import { countFact } from '@/lib/run/fact'
import { defaultMetric } from '@/lib/run/metrics'
import type { ProjectSummary } from '@/lib/project/stored-projects'
import type { RunPast } from '@/lib/history/stored-runs'
import { StripTip } from '../charts/plot/rows/strip-tip'
import { PastStrip } from '../runs/past-strip'
import { Fact } from '../facts/fact'
import { Link } from '../ui/links/link'
import { RunNameLink } from '../ui/links/run-name-link'
import { StateMark } from '../ui/state-mark'
import { Time } from '../ui/time'
import type { AttentionItem } from './attention'
import styles from './home.module.css'

interface Props {
  readonly items: readonly AttentionItem[]
  readonly projects: readonly ProjectSummary[]
  /** For the items' runs, their series up to them. */
  readonly pasts: ReadonlyMap<string, RunPast>
  readonly nowMs: number
}

/** Items shown; the others are in their projects. */
export const shownItems = 8

/** What needs attention in any project, each with its sentence and a link. */
export function AttentionList({ items, projects, pasts, nowMs }: Props) {
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  if (items.length === 0)
    return (
      <header className={`flex wrap baseline below-12 ${styles.head}`}>
        <h1 className="page-title">Nothing needs attention</h1>
        <p className="muted flush">
          No open alerts; the newest run of each series is as expected, or has too little history.
        </p>
      </header>
    )
  return (
    <section aria-label="Needs attention">
      <StripTip />
      <header className={`flex wrap baseline below-12 ${styles.head}`}>
        <Fact of={countFact('all', 'attention', items.length)} as="h1" className="page-title">
          {plural(items.length, 'thing')} {items.length === 1 ? 'needs' : 'need'} attention
        </Fact>
        <span className="muted">newest runs and open alerts</span>
      </header>
      <ul className={`below-12 ${styles.items}`}>
        {items.slice(0, shownItems).map((item) => (
          <li key={item.href}>
            <StateMark judged={item.judged} words={item.words} />
            <div className={styles.said}>
              <RunNameLink href={item.href} run={item} />
              <span className="block muted">
                {names.get(item.projectId) ?? item.projectSlug} · <Time at={item.at} nowMs={nowMs} />
              </span>
              <p className="muted">{item.judged.sentence}</p>
            </div>
            <span className={styles.past}>
              <PastStrip past={pasts.get(item.runId ?? '')} state={item.judged.state} metric={defaultMetric} />
            </span>
            <Link className="button" href={item.href}>
              {item.action}
            </Link>
          </li>
        ))}
      </ul>
      {items.length > shownItems && (
        <p className="muted">{formatCount(items.length - shownItems)} more, on the boards of their projects.</p>
      )}
    </section>
  )
}
