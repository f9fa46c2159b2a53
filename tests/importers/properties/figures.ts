import type { ImportedRun } from '@/lib/run/run'

/** A run without the places and names that come from its surroundings. */
export function figuresOf({ context: _, proposal: __, measures, warnings, ...figures }: ImportedRun) {
  const measured = measures.map((measure) => ({ ...measure, line: null }))
  return { ...figures, measures: measured, warnings: warnings.map(({ code, message }) => ({ code, message })) }
}
