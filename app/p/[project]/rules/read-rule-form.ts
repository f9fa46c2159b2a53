import { z } from 'zod'
import { ruleSchema } from '@/app/_server/alerts/rule-schema'
import { findMetric } from '@/lib/run/metrics'
import { ruleKinds, type Rule, type RuleKind } from '@/lib/rules/rules'
import type { RuleDraft, RuleFields } from '@/components/rules/rule-draft'

type Params = Readonly<Record<string, string | readonly string[] | undefined>>

const texts = (value: Params[string]): readonly string[] => [value ?? []].flat()
const first = (value: Params[string]): string => texts(value)[0]?.trim() ?? ''

/** The fields of the form from the address; from `rule` where the address has none. */
export function readRuleFields(params: Params, rule: Rule | null): RuleFields {
  const asked = ruleKinds.find((kind) => kind === first(params.kind))
  const kind: RuleKind = rule?.settings.kind ?? asked ?? 'limit'
  if (params.replay === undefined && rule !== null) return fieldsOf(rule)
  return {
    kind,
    scope: first(params.scope),
    metricIds: texts(params.metric),
    direction: first(params.direction) || 'worse',
    minPercent: first(params.least) || (kind === 'baseline' ? '10' : ''),
    confirmRuns: first(params.confirm) || '1',
    sensitivity: first(params.sensitivity) || 'balanced',
    runIds: texts(params.runs).join(' '),
    side: first(params.side) || 'above',
    limit: first(params.limit),
    hours: first(params.hours) || '24',
  }
}

function fieldsOf({ settings, scenario, seriesId }: Rule): RuleFields {
  const percent = 'leastEffectRatio' in settings ? settings.leastEffectRatio : null
  const isShare = settings.kind === 'limit' && findMetric(settings.metricId)?.unit === 'ratio'
  return {
    kind: settings.kind,
    scope: seriesId !== null ? `series:${seriesId}` : scenario !== null ? `scenario:${scenario}` : '',
    metricIds: 'metricIds' in settings ? settings.metricIds : settings.kind === 'limit' ? [settings.metricId] : [],
    direction: 'direction' in settings ? settings.direction : 'worse',
    minPercent: percent === null ? '' : String(Number((percent * 100).toPrecision(12))),
    confirmRuns: 'confirmRuns' in settings ? String(settings.confirmRuns) : '1',
    sensitivity: 'sensitivity' in settings ? settings.sensitivity : 'balanced',
    runIds: 'runIds' in settings ? settings.runIds.join(' ') : '',
    side: settings.kind === 'limit' ? settings.side : 'above',
    limit: settings.kind === 'limit' ? String(Number((settings.limit * (isShare ? 100 : 1)).toPrecision(12))) : '',
    hours: settings.kind === 'missing' ? String(settings.hours) : '24',
  }
}

/** The rule that filled-in fields make, or a sentence about what is wrong with them. */
export function ruleOfFields(fields: RuleFields): RuleDraft | { readonly problem: string } {
  const { scope } = fields
  const parsed = ruleSchema.safeParse({
    scenario: scope.startsWith('scenario:') ? scope.slice(9) : null,
    seriesId: scope.startsWith('series:') ? scope.slice(7) : null,
    settings: settingsOf(fields),
  })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return { problem: issue?.message ?? z.prettifyError(parsed.error) }
}

const numberOf = (text: string): number => (text === '' ? Number.NaN : Number(text.replace(',', '.')))

function settingsOf(fields: RuleFields): unknown {
  const { kind, metricIds, direction, sensitivity, side } = fields
  const confirmRuns = numberOf(fields.confirmRuns)
  const minRatio = fields.minPercent === '' ? null : numberOf(fields.minPercent) / 100
  switch (kind) {
    case 'change-point':
      return { kind, metricIds, direction, leastEffectRatio: minRatio, confirmRuns, sensitivity }
    case 'baseline': {
      const runIds = fields.runIds.split(/[\s,+]+/).filter((id) => id !== '')
      return { kind, metricIds, direction, leastEffectRatio: minRatio, confirmRuns, runIds }
    }
    case 'limit': {
      const [metricId = ''] = metricIds
      const factor = findMetric(metricId)?.unit === 'ratio' ? 100 : 1
      return { kind, metricId, side, limit: numberOf(fields.limit) / factor, confirmRuns }
    }
    case 'missing':
      return { kind, hours: numberOf(fields.hours) }
    case 'failed-import':
      return { kind }
  }
}
