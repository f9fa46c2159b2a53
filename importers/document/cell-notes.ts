import type { CellNote } from '../../lib/run/run'
import { normalizeName } from './heading-names'
import { readPlainText } from './markdown-inline'
import { proposeNames, type ProposedNames } from './proposal'
import type { Remark } from './remarks'
import type { DocumentStructure, Section } from './structure'

/** A run's names and the section it is in. */
export interface NamedPlace {
  readonly section: Section
  readonly names: ProposedNames
}

const notPossible =
  /^(not possible|impossible|not supported|unsupported|not applicable|n\/a|cannot be (?:run|tested|measured))\b(.*)$/i
const limit =
  /\b(?:only (?:[\w-]{1,30} ){0,5}|limit(?:ed)?(?: to| of| is)? (?:an? )?|at most (?:an? )?)(\d{1,6}(?:\.\d{1,2})? ?[kKMGT]i?B)\b/
const limitAfter = /\b(\d{1,6}(?:\.\d{1,2})? ?[kKMGT]i?B) (?:limit|maximum)\b/

/** Why cells of the matrix are empty: the author's words about a variant without a run ("Not possible"). */
export function collectCellNotes(
  structure: DocumentStructure,
  remarks: readonly Remark[],
  runs: readonly NamedPlace[],
): CellNote[] {
  const notes: CellNote[] = []
  for (const remark of remarks) {
    const [, statement, rest] = notPossible.exec(readPlainText(remark.said)) ?? []
    if (statement === undefined || rest === undefined || remark.subject === null) continue
    const scenario = nameScenario(structure, remark, runs)
    if (scenario === null) continue
    const { variant, environment } = nameVariant(remark, runs)
    const isThere = runs.some(
      ({ names }) =>
        names.scenario?.value === scenario &&
        (names.variant?.value ?? null) === variant &&
        (environment === null || names.environment?.value === environment),
    )
    if (isThere) continue
    const reason = rest.replace(/^[\s:,;.(–—-]+/, '').replace(/[\s).]{1,20}$/, '') || findLimit(remark, remarks)
    const text = statement.toLowerCase() + (reason === null ? '' : `: ${reason}`)
    notes.push({ scenario, variant, environment, text, line: remark.line })
  }
  return notes
}

function nameScenario(structure: DocumentStructure, remark: Remark, runs: readonly NamedPlace[]): string | null {
  const beside = runs.find(({ section }) => isWithin(section, remark.owner))
  if (beside && remark.owner !== structure.root) return beside.names.scenario?.value ?? null
  const place = { name: remark.subject, line: remark.line, url: null, method: null, urlSource: '' }
  return proposeNames(structure, remark.section, place).scenario?.value ?? null
}

function isWithin(section: Section, owner: Section): boolean {
  for (let at: Section | null = section; at !== null; at = at.parent) if (at === owner) return true
  return false
}

/** The name as used by the runs, or as the author wrote it. */
function nameVariant({ about, subject }: Remark, runs: readonly NamedPlace[]) {
  const named = (name: 'variant' | 'environment') =>
    runs.map(({ names }) => names[name]?.value ?? '').find((value) => value !== '' && normalizeName(value) === about)
  const variant = named('variant')
  const environment = variant === undefined ? named('environment') : undefined
  return { variant: variant ?? (environment === undefined ? subject : null), environment: environment ?? null }
}

/** The limit that the author states for this variant, here or elsewhere: "can only echo a 6 MB body". */
function findLimit(remark: Remark, remarks: readonly Remark[]): string | null {
  const name = normalizeName(remark.subject ?? '')
  if (name.length < 3) return null
  const near = remarks.filter(({ owner }) => owner === remark.owner)
  for (const { text } of [...near, ...remarks])
    for (const clause of readPlainText(text).split(/[,;]|\. |\b(?:but|and|while|whereas)\b/)) {
      if (!normalizeName(clause).includes(name)) continue
      const size = (limit.exec(clause) ?? limitAfter.exec(clause))?.[1]
      if (size !== undefined) return `${size} limit`
    }
  return null
}
