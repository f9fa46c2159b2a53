import type { Fact } from '@/lib/run/fact'

/** Attributes that mark an element as a fact's, for tests only: none unless `TAILBOARD_FACTS=on`. */
export function factAttributes(of: Fact | null, part = 'value'): Readonly<Record<string, string>> {
  if (of === null || process.env.TAILBOARD_FACTS !== 'on') return {}
  const { key, value, bound } = of
  return {
    'data-fact': key,
    'data-part': part,
    'data-value': JSON.stringify(bound === null ? value : { ...value, bound }),
  }
}
