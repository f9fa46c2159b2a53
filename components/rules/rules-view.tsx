import { Link } from '../ui/links/link'
import type { ReactNode } from 'react'
import { seriesWords } from '@/lib/rules/alert-words'
import { formatTime } from '@/lib/format'
import { ruleKindName, ruleWords, scopeWords } from '@/lib/rules/rule-words'
import { isBuiltIn, isMuted, type Rule } from '@/lib/rules/rules'
import type { SeriesSummary } from '@/lib/history/stored-series'
import type { AlertState } from '@/lib/rules/stored-alerts'
import { IfAllowed } from '../ui/actions/access'
import { SettingsBar } from '../settings/settings-bar'
import { RuleActions } from './rule-actions'
import styles from './rules.module.css'

export type AlertCounts = Readonly<Partial<Record<AlertState, number>>>

interface Props {
  readonly project: { readonly id: string; readonly slug: string; readonly name: string }
  readonly rules: readonly Rule[]
  readonly counts: Readonly<Record<string, AlertCounts>>
  readonly series: readonly SeriesSummary[]
  readonly now: string
  /** The form, and what its rule would have done. */
  readonly children: ReactNode
}

/** The rules of a project, how useful each was, and the form that makes or changes one. */
export function RulesView({ project, rules, counts, series, now, children }: Props) {
  const nameOf = new Map(series.map((one) => [one.id, seriesWords(one)]))
  return (
    <>
      <SettingsBar project={project} here="Rules" />
      <div className="page">
        <ul className="above-4">
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
                    {muted && rule.mutedUntil !== null ? ` · muted until ${formatTime(rule.mutedUntil)}` : ''}
                  </p>
                  <p className="muted">{usefulWords(counts[rule.id] ?? {})}</p>
                </div>
                <IfAllowed need="edit">
                  <div className="row wrap gap-8">
                    <Link className="button" href={`/p/${project.slug}/rules?rule=${rule.id}#form`}>
                      Change
                    </Link>
                    <RuleActions projectSlug={project.slug} rule={rule} isBuiltIn={builtIn} isMuted={muted} />
                  </div>
                </IfAllowed>
              </li>
            )
          })}
        </ul>
        <IfAllowed need="edit">{children}</IfAllowed>
      </div>
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
