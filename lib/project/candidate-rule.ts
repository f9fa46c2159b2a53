/** New runs whose label has a different value are candidates: `{ label: 'branch', isNot: 'main' }`. */
export interface CandidateRule {
  readonly label: string
  readonly isNot: string
}

/** Whether a run with these labels is a candidate under its project's rule; a run without the label is not. */
export function isCandidateBy(rule: CandidateRule | null, labels: Readonly<Record<string, string>>): boolean {
  if (rule === null || !Object.hasOwn(labels, rule.label)) return false
  return labels[rule.label] !== rule.isNot
}
