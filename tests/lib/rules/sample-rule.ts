import type { Rule, RuleSettings } from '@/lib/rules/rules'

/** An enabled rule for the whole project. */
export const sampleRule = (settings: RuleSettings, fields: Partial<Rule> = {}): Rule => ({
  id: settings.kind,
  scenario: null,
  seriesId: null,
  settings,
  isEnabled: true,
  mutedUntil: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...fields,
})
