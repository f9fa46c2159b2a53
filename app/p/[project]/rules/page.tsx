import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { replayedDays } from '@/app/_server/alerts/replay-rule'
import { readTables } from '@/components/charts/plot/address'
import { ReplayView } from '@/components/rules/replay-view'
import { SaveRule } from '@/components/rules/rule-actions'
import { RuleForm } from '@/components/rules/rule-form'
import { PageBar } from '@/components/shell/page-bar'
import { IfAllowed, Refusal } from '@/components/ui/actions/access'
import { isBuiltIn } from '@/lib/rules/rules'
import { listRules } from '@/prisma/queries/alerts/rules'
import { listSeries } from '@/prisma/queries/series/series'
import { openProject } from '../open-project'
import { loadPickableRuns, loadReplay } from './load-rules'
import { readRuleFields } from './read-rule-form'

export const metadata: Metadata = { title: 'Rule' }

interface Props {
  readonly params: Promise<{ project: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** The form of one rule, and what it would have done. The rules are a section of the settings. */
export default async function RulePage({ params, searchParams }: Props) {
  const { project, granted } = await openProject((await params).project)
  const query = await searchParams
  const settings = { name: 'Settings', href: `/p/${project.slug}/settings#rules` }
  if (Object.keys(query).length === 0) redirect(settings.href)
  const rules = await listRules(granted)
  const rule = rules.find((one) => one.id === query.rule) ?? null
  const fields = readRuleFields(query, rule)
  const now = new Date()
  const replayed = query.replay === undefined ? null : await loadReplay(granted, { fields, rule, now })
  const [runs, series] = [await loadPickableRuns(granted, fields), await listSeries(granted)]
  const form = { path: `/p/${project.slug}/rules`, fields, rule, series, runs }
  return (
    <>
      <PageBar project={project} crumbs={[settings]} here={rule === null ? 'New rule' : 'Change the rule'} isHeading />
      <div className="page">
        <IfAllowed need="edit" otherwise={<Refusal need="edit" />}>
          <RuleForm key={JSON.stringify(fields)} {...form} isBuiltIn={rule !== null && isBuiltIn(rule, project.id)} />
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
        </IfAllowed>
      </div>
    </>
  )
}
