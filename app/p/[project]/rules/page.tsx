import type { Metadata } from 'next'
import { replayRule, replayedDays } from '@/app/_server/alerts/replay-rule'
import { ReplayView } from '@/components/rules/replay-view'
import { SaveRule } from '@/components/rules/rule-actions'
import { RuleForm } from '@/components/rules/rule-form'
import { RulesView } from '@/components/rules/rules-view'
import styles from '@/components/rules/rules.module.css'
import { isBuiltIn } from '@/lib/rules/rules'
import { countRuleAlerts } from '@/prisma/queries/rule-history'
import { listRules } from '@/prisma/queries/rules'
import { listSeries } from '@/prisma/queries/series'
import { openProject } from '../open-project'
import { readRuleFields, ruleOfFields } from './read-rule-form'

export const metadata: Metadata = { title: 'Rules' }

interface Props {
  readonly params: Promise<{ project: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function RulesPage({ params, searchParams }: Props) {
  const { viewer, project } = await openProject((await params).project)
  const query = await searchParams
  const rules = await listRules(viewer, project.id)
  const rule = rules.find((one) => one.id === query.rule) ?? null
  const fields = readRuleFields(query, rule)
  const now = new Date()
  const made = query.replay === undefined ? null : ruleOfFields(fields)
  const identity = { id: rule?.id ?? '', createdAt: now.toISOString() }
  const state = { isEnabled: rule?.isEnabled ?? true, mutedUntil: rule?.mutedUntil ?? null }
  const draft = made !== null && !('problem' in made) ? { ...made, ...identity, ...state } : null
  const replay = draft && (await replayRule(viewer, project.id, draft, now))
  const series = await listSeries(viewer, project.id)
  const counts = await countRuleAlerts(viewer, project.id)
  const path = `/p/${project.slug}/rules`
  return (
    <RulesView project={project} rules={rules} counts={counts} series={series} now={now.toISOString()}>
      <h2 id="form" className={`section-title ${styles.part}`}>
        {rule === null ? 'New rule' : 'Change the rule'}
      </h2>
      <RuleForm
        key={JSON.stringify(fields)}
        {...{ path, fields, rule, series }}
        isBuiltIn={rule !== null && isBuiltIn(rule, project.id)}
      />
      {made !== null && 'problem' in made && <p className="notice notice-error">{made.problem}</p>}
      {draft && replay && (
        <>
          <ReplayView projectSlug={project.slug} firings={replay.firings} days={replayedDays} cut={replay.cut} />
          <SaveRule projectSlug={project.slug} draft={draft} ruleId={rule?.id ?? null} />
        </>
      )}
    </RulesView>
  )
}
