/** New runs whose label says something else than the value are candidates: `{ label: 'branch', isNot: 'main' }`. */
export interface CandidateRule {
  readonly label: string
  readonly isNot: string
}

/** Whether a run with these labels is a candidate by the rule of its project; a run without the label is none. */
export function isCandidateBy(rule: CandidateRule | null, labels: Readonly<Record<string, string>>): boolean {
  if (rule === null || !Object.hasOwn(labels, rule.label)) return false
  return labels[rule.label] !== rule.isNot
}
