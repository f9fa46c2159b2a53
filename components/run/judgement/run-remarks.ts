import { findingsOf, type Finding } from '@/lib/judge/findings'
import type { ImportedRun } from '@/lib/run/run'
import type { StoredRun } from '@/lib/history/stored-runs'

/** One line that a reader of the figures must know. */
export interface Remark {
  readonly key: string
  readonly severity: Finding['severity']
  /** Without a full stop. */
  readonly sentence: string
  /** 1-based; null: no line. */
  readonly line: number | null
  /** The explanation's name; null: the sentence is enough. */
  readonly learn: Finding['learn']
}

/** Severity of a remark for the reader. */
export const severityWords: Readonly<Record<Finding['severity'], string>> = {
  inconsistent: 'Contradiction',
  caution: 'Caution',
  explain: 'Note',
  note: 'By design',
}

const order: readonly Finding['severity'][] = ['inconsistent', 'caution', 'explain', 'note']

/** Findings that the importer has already reported, by the importer's code. */
const coveredBy: Readonly<Record<string, string>> = { 'single-sample': 'one-sample', 'sample-cap': 'sample-cap' }

/** Findings and the importer's warnings, most severe first, without duplicates. */
export function remarksOf(run: ImportedRun): readonly Remark[] {
  const findings = findingsOf(run)
  const covered = new Set(findings.map(({ id }) => id))
  const warnings = run.warnings.filter(({ code }) => !covered.has(coveredBy[code] ?? code))
  const remarks: readonly Remark[] = [
    ...(run.complete
      ? []
      : [
          {
            key: 'cut',
            severity: 'caution' as const,
            sentence: 'truncated output: these are the figures that could be read',
            line: run.context.lines[1],
            learn: null,
          },
        ]),
    ...findings.map(({ id, severity, sentence, learn }) => ({ key: id, severity, sentence, line: null, learn })),
    ...warnings.map(({ code, message, line }, index) => ({
      key: `${code}-${index}`,
      // How a run was made does not cast doubt on it.
      severity: code === 'merged' ? ('explain' as const) : ('caution' as const),
      sentence: message.replace(/\.$/, ''),
      line,
      learn: null,
    })),
  ]
  return order.flatMap((severity) => remarks.filter((remark) => remark.severity === severity))
}

/** Findings that the verdict above does not state already. */
export function unsaidRemarks(run: StoredRun): readonly Remark[] {
  const isSaid = run.judgement?.state === 'failing'
  return remarksOf(run.imported).filter(({ key }) => !isSaid || key !== 'some-failed')
}
