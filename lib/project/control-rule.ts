/** Series of new runs whose label has this value are controls: `{ label: 'kind', is: 'static' }`. */
export interface ControlRule {
  readonly label: string
  readonly is: string
}

/** Whether a run with these labels makes its series a control under its project's rule. */
export const isControlBy = (rule: ControlRule | null, labels: Readonly<Record<string, string>>): boolean =>
  rule !== null && Object.hasOwn(labels, rule.label) && labels[rule.label] === rule.is
