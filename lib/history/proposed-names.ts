import { clipText, storableText } from '../text'
import type { ImportedRun, Warning } from '../run/run'
import type { RunNames } from './stored-runs'

/** Longest texts of a run's names and labels, in code points, and how many labels it may have. */
export const nameLimits = { name: 200, labelKey: 100, labelValue: 200, labels: 50 }

/** A text on one line, without what cannot be stored. */
export const oneLine = (text: string): string => storableText(text).replace(/\s+/gu, ' ').trim()

/** A name that a file proposes: cut where a user's would be refused, because no user typed it. Null: none. */
export function proposedName(text: string | null): string | null {
  const name = oneLine(text ?? '')
  return name === '' ? null : clipText(name, nameLimits.name)
}

/** Labels or attributes that a file proposes: values cut visibly, the first 50 only. */
export function proposedLabels(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(labels)
      .map(([key, value]): [string, string] => [
        clipText(oneLine(key), nameLimits.labelKey),
        clipText(oneLine(value), nameLimits.labelValue),
      ])
      .filter(([key]) => key !== '')
      .slice(0, nameLimits.labels),
  )
}

/** The names of a run as its text proposes them; a run without a name gets that of its file. */
export function proposedNames({ proposal, context }: ImportedRun, uploadName: string): RunNames {
  return {
    scenario: proposedName(proposal.scenario) ?? proposedName(stemOf(context.file ?? uploadName)) ?? 'Untitled',
    variant: proposedName(proposal.variant),
    environment: proposedName(proposal.environment),
    labels: proposedLabels(proposal.labels),
  }
}

function stemOf(fileName: string): string {
  return fileName.replace(/(?<=[^.])\.[a-z0-9]{1,8}$/i, '')
}

const earliest = Date.UTC(2000, 0, 1)
const dayMs = 86_400_000

/** A start between the year 2000 and a day from now; otherwise null: clocks are wrong and documents have typos. */
export function plausibleStart(iso: string, now: number): Date | null {
  const at = Date.parse(iso)
  return at >= earliest && at <= now + dayMs ? new Date(at) : null
}

/** The importer's warnings, plus one if its start is none (`startedAt` null) because it is implausible. */
export function warningsWithStart(imported: ImportedRun, startedAt: Date | null): readonly Warning[] {
  if (imported.startedAt === null || startedAt !== null) return imported.warnings
  const message = `The start ${imported.startedAt} is implausible; the run is ordered by its upload time.`
  return [...imported.warnings, { code: 'implausible-start', message, line: null }]
}
