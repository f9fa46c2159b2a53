import type { Metadata } from 'next'
import { replayedDays } from '@/app/_server/alerts/replay-rule'
import { readTables } from '@/components/charts/plot/table'
import { ReplayView } from '@/components/rules/replay-view'
import { SaveRule } from '@/components/rules/rule-actions'
import { RuleForm } from '@/components/rules/rule-form'
import { RulesView } from '@/components/rules/rules-view'
import styles from '@/components/rules/rules.module.css'
import { isBuiltIn } from '@/lib/rules/rules'
import { countRuleAlerts } from '@/prisma/queries/alerts/rule-history'
import { listRules } from '@/prisma/queries/alerts/rules'
import { listSeries } from '@/prisma/queries/series/series'
import { openProject } from '../open-project'
import { loadPickableRuns, loadReplay } from './load-rules'
import { readRuleFields } from './read-rule-form'

export const metadata: Metadata = { title: 'Rules' }

interface Props {
  readonly params: Promise<{ project: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function RulesPage({ params, searchParams }: Props) {
  const { project, granted } = await openProject((await params).project)
  const query = await searchParams
  const rules = await listRules(granted)
  const rule = rules.find((one) => one.id === query.rule) ?? null
  const fields = readRuleFields(query, rule)
  const now = new Date()
  const replayed = query.replay === undefined ? null : await loadReplay(granted, { fields, rule, now })
  const runs = await loadPickableRuns(granted, fields)
  const series = await listSeries(granted)
  const counts = await countRuleAlerts(granted)
  const path = `/p/${project.slug}/rules`
  return (
    <RulesView project={project} rules={rules} counts={counts} series={series} now={now.toISOString()}>
      <h2 id="form" className={`section-title ${styles.part}`}>
        {rule === null ? 'New rule' : 'Change the rule'}
      </h2>
      <RuleForm
        key={JSON.stringify(fields)}
        {...{ path, fields, rule, series, runs }}
        isBuiltIn={rule !== null && isBuiltIn(rule, project.id)}
      />
      {replayed !== null && 'problem' in replayed && <p className="notice notice-error">{replayed.problem}</p>}
      {replayed !== null && 'draft' in replayed && (
        <>
          <ReplayView
            projectSlug={project.slug}
            {...{ ...replayed.replay, charts: replayed.charts }}
            days={replayedDays}
            tables={readTables(query.table)}
          />
          <SaveRule projectSlug={project.slug} draft={replayed.draft} ruleId={rule?.id ?? null} />
        </>
      )}
    </RulesView>
  )
}
