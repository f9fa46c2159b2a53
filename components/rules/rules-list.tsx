import { seriesWords } from '@/lib/rules/alert-words'
import { formatMoment } from '@/lib/format'
import { ruleKindName, ruleWords, scopeWords } from '@/lib/rules/rule-words'
import { isBuiltIn, isMuted, type Rule } from '@/lib/rules/rules'
import type { SeriesSummary } from '@/lib/history/stored-series'
import type { AlertState } from '@/lib/rules/stored-alerts'
import { IfAllowed } from '../ui/actions/access'
import { Icon } from '../ui/icon'
import { Link } from '../ui/links/link'
import { RuleActions } from './rule-actions'
import styles from './rules.module.css'

type AlertCounts = Readonly<Partial<Record<AlertState, number>>>

interface Props {
  readonly project: { readonly id: string; readonly slug: string }
  readonly rules: readonly Rule[]
  readonly counts: Readonly<Record<string, AlertCounts>>
  readonly series: readonly SeriesSummary[]
  readonly now: string
}

/** The rules of a project, how useful each was, and the way to another one. */
export function RulesList({ project, rules, counts, series, now }: Props) {
  const nameOf = new Map(series.map((one) => [one.id, seriesWords(one)]))
  const form = `/p/${project.slug}/rules`
  return (
    <>
      <ul className="flush">
        {rules.map((rule) => {
          const builtIn = isBuiltIn(rule, project.id)
          const muted = isMuted(rule, now)
          return (
            <li key={rule.id} id={rule.id} className={`row wrap between ${styles.rule}`}>
              <div>
                <p className={`bold break ${styles.what}`} data-off={rule.isEnabled ? undefined : 'true'}>
                  {ruleWords(rule.settings)}
                </p>
                <p className="muted">
                  {ruleKindName(rule.settings.kind)} · {scopeWords(rule, nameOf.get(rule.seriesId ?? '') ?? null)}
                  {rule.isEnabled ? '' : ' · disabled'}
                  {muted && rule.mutedUntil !== null ? ` · muted until ${formatMoment(rule.mutedUntil)} UTC` : ''}
                </p>
                <p className="muted">{usefulWords(counts[rule.id] ?? {})}</p>
              </div>
              <IfAllowed need="edit">
                <div className="row wrap gap-8">
                  <Link className="button" href={`${form}?rule=${rule.id}`}>
                    Change
                  </Link>
                  <RuleActions projectSlug={project.slug} rule={rule} isBuiltIn={builtIn} isMuted={muted} />
                </div>
              </IfAllowed>
            </li>
          )
        })}
      </ul>
      <IfAllowed need="edit">
        <p className="above-12">
          <Link className="button" href={`${form}?kind=limit`} data-command="New rule">
            <Icon name="plus" /> New rule
          </Link>
        </p>
      </IfAllowed>
    </>
  )
}

const usefulStates: readonly AlertState[] = ['acknowledged', 'expected', 'resolved']

/** How many alerts a rule raised, and how people rated them. */
function usefulWords(counts: AlertCounts): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (all === 0) return 'No alerts yet.'
  const useful = usefulStates.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
  const judged = useful + (counts['false-alarm'] ?? 0)
  const raised = all === 1 ? '1 alert' : `${all} alerts`
  return judged === 0 ? `${raised}, none rated yet.` : `${raised}; ${useful} of ${judged} rated alerts were useful.`
}
