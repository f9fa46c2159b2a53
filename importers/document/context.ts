import { clipText } from '../../lib/text'
import type { Fact, ImportedRun, Load, Measure, Note, Proposal, UtcIso } from '../../lib/run/run'
import type { RunIdentifier } from './run-identifiers'
import type { FoundCommand } from './command'
import { label, type LineFact } from './facts'
import { findInstanceType, normalizeName } from './heading-names'
import type { BlockRun } from '../importer'
import { parseDecimal } from '../text/number'
import { listHeadings, type ProposedNames, type Sourced } from './proposal'
import type { Remark } from './remarks'
import type { Section } from './structure'

/** A run and everything that its document states about it. */
export interface RunSurroundings {
  readonly run: BlockRun
  /** First and last line of its block or row. */
  readonly lines: readonly [number, number]
  readonly section: Section
  readonly names: ProposedNames
  readonly command: FoundCommand | null
  readonly identifiers: readonly RunIdentifier[]
  /** Those that apply to it, the widest scope first. */
  readonly remarks: readonly Remark[]
}

/** A fact with its source in words. */
interface SourcedFact extends LineFact {
  readonly line: number
  readonly source: string
}

const maxFacts = 100
const maxNotes = 100
const maxNoteText = 4_000
const maxFactText = 200

/** Remarks that apply to a run, the widest scope first; `byOwner` from `groupByOwner`. */
export function selectRemarks(
  byOwner: ReadonlyMap<Section, readonly Remark[]>,
  section: Section,
  firstLine: number,
  names: ProposedNames,
): Remark[] {
  const own = new Set(
    [names.variant, names.environment, names.scenario].map((name) => (name === null ? '' : normalizeName(name.value))),
  )
  const selected: Remark[] = []
  for (let owner: Section | null = section; owner !== null; owner = owner.parent) {
    const remarks = (byOwner.get(owner) ?? []).filter(
      (remark) => (!remark.onlyBelow || remark.line < firstLine) && (remark.about === null || own.has(remark.about)),
    )
    // Text under a heading without output of its own (Setup) is wider than text under the owner itself.
    const isWide = (remark: Remark) => remark.section !== owner
    selected.unshift(...remarks.filter(isWide), ...remarks.filter((remark) => !isWide(remark)))
  }
  // A remark that names this run counts more than one about all runs.
  return [...selected.filter(({ about }) => about === null), ...selected.filter(({ about }) => about !== null)]
}

/** Groups remarks by the section they apply to; for a section with thousands, the first 500. */
export function groupByOwner(remarks: readonly Remark[]): ReadonlyMap<Section, readonly Remark[]> {
  const groups = new Map<Section, Remark[]>()
  for (const remark of remarks) {
    const group = groups.get(remark.owner)
    if (group === undefined) groups.set(remark.owner, [remark])
    else if (group.length < 500) group.push(remark)
  }
  return groups
}

/** Completes a run from its document. Figures that the tool printed are never replaced. */
export function completeRun(surroundings: RunSurroundings): ImportedRun {
  const { run, lines, section, names, command, remarks } = surroundings
  const { lines: _lines, name: _name, ...figures } = run
  const facts = collectFacts(surroundings)
  const environment = names.environment ?? composeEnvironment(facts)
  const sources: Record<string, string> = {}
  const setSource = (field: string, sourced: Sourced | null) => {
    if (sourced !== null) sources[field] = sourced.source
  }
  setSource('scenario', names.scenario)
  setSource('variant', names.variant)
  setSource('environment', environment)
  if (command !== null) sources['command'] = `line ${command.line}`

  const start = findStart(surroundings)
  if (start !== null) sources['startedAt'] = start.source
  const load = completeLoad(run.load, command, facts, sources)
  const labels: Record<string, string> = {}
  const environmentAttributes: Record<string, string> = {}
  for (const { kind, key, value, source } of facts) {
    if (kind === 'measure') continue
    const isAttribute = kind === 'setting' && environment !== null
    const target = isAttribute ? environmentAttributes : labels
    target[key] = value
    sources[`${isAttribute ? 'attribute' : 'label'}:${key}`] = source
  }
  const proposal: Proposal = {
    scenario: names.scenario?.value ?? null,
    variant: names.variant?.value ?? null,
    environment: environment?.value ?? null,
    environmentAttributes,
    labels,
    sources,
  }
  return {
    ...figures,
    command: run.command ?? command?.text ?? null,
    url: run.url ?? command?.url ?? null,
    method: run.method ?? command?.method ?? null,
    startedAt: run.startedAt ?? start?.startedAt ?? null,
    load,
    measures: [...run.measures, ...listMeasures(run, command, facts)],
    context: {
      headings: listHeadings(section).map(({ title }) => title),
      lines,
      facts: facts.map((fact) => toFact(fact, environment !== null)),
      notes: listNotes(remarks),
    },
    proposal,
  }
}

/** When the run began and where that is written; null: not stated. */
function findStart({ run, names, identifiers }: RunSurroundings): { startedAt: UtcIso; source: string } | null {
  if (run.startedAt !== null) return { startedAt: run.startedAt, source: 'time in the output' }
  for (const kind of ['id', 'result-link'] as const) {
    const identifier = identifiers.find((candidate) => candidate.kind === kind && candidate.startedAt !== null)
    const word = kind === 'id' ? 'ID' : 'result link'
    if (identifier?.startedAt)
      return { startedAt: identifier.startedAt, source: `epoch in the ${word}, line ${identifier.line}` }
  }
  return names.day
}

/**
 * The facts about a run, each key once: a fact nearer to its block overrides one about more runs, one that names the
 * run overrides one about all; of two adjacent lines the first counts.
 */
function collectFacts({ run, section, names, command, identifiers, remarks }: RunSurroundings): SourcedFact[] {
  const found = new Map<string, { readonly fact: SourcedFact; readonly scope: Section | string }>()
  const add = (fact: LineFact, line: number, word: string, scope: Section | string) => {
    if (found.get(fact.key)?.scope === scope) return
    const value = clipText(fact.value, maxFactText)
    found.set(fact.key, { fact: { ...fact, value, line, source: `${word}, line ${line}` }, scope })
  }
  for (const remark of remarks)
    for (const fact of remark.facts) add(fact, remark.line, 'text', remark.about ?? remark.section)
  for (const fact of names.facts) add(fact, fact.line, 'heading', 'heading')
  for (const { kind, value, line, facts } of identifiers) {
    if (kind === 'id') add(label('id', value), line, 'ID', section)
    else if (kind === 'result-link') add(label('result', value), line, 'result link', section)
    else if (run.url === null && command?.url == null) add(label('url', value), line, 'address', section)
    for (const fact of facts) add(fact, line, 'result link', 'identifier')
  }
  if (command?.protocol) add(label('protocol', command.protocol), command.line, 'command', section)
  return [...found.values()].map(({ fact }) => fact).slice(0, maxFacts)
}

/** An instance type; else region, architecture and memory, if the region and one of the others are listed. */
function composeEnvironment(facts: readonly SourcedFact[]): Sourced | null {
  const stated = (key: string) => facts.find((fact) => fact.kind === 'setting' && fact.key === key)
  const machine = stated('instance-type')
  const type = machine === undefined ? null : findInstanceType(machine.value)
  if (machine !== undefined && type !== null) return { value: type, source: machine.source }
  const parts = ['region', 'architecture', 'memory'].map(stated).filter((fact) => fact !== undefined)
  const isListed = parts.every(({ isPair }) => isPair) && stated('region') !== undefined && parts.length > 1
  if (!isListed) return null
  return {
    value: parts.map(({ value }) => value).join(' '),
    source: `text, lines ${parts.map(({ line }) => line).join(', ')}`,
  }
}

function completeLoad(
  load: Load,
  command: FoundCommand | null,
  facts: readonly SourcedFact[],
  sources: Record<string, string>,
): Load {
  if (load.kind === 'closed' && load.connections === null && command !== null && command.connections !== null) {
    sources['load'] = `command, line ${command.line}`
    return { kind: 'closed', connections: command.connections }
  }
  if (load.kind !== 'open' || load.ratePerSecond !== null) return load
  if (command !== null && command.ratePerSecond !== null) {
    sources['load'] = `command, line ${command.line}`
    return { kind: 'open', ratePerSecond: command.ratePerSecond }
  }
  const stated = facts.find(({ key }) => key === 'rate')
  const [, rate] = /^(\d{1,9}(?:\.\d{1,3})?) ?(?:rps|req\/s|requests\/s(?:ec)?|\/s)?$/i.exec(stated?.value ?? '') ?? []
  const ratePerSecond = rate === undefined ? null : parseDecimal(rate)
  if (stated === undefined || ratePerSecond === null) return load
  sources['load'] = stated.source
  return { kind: 'open', ratePerSecond }
}

function listMeasures(run: BlockRun, command: FoundCommand | null, facts: readonly SourcedFact[]): Measure[] {
  const measures = facts.flatMap(({ measure, line }) => (measure === null ? [] : [{ ...measure, line }]))
  const seen = new Set(run.measures.map(({ name }) => name))
  const add = (name: string, value: number | null, unit: string | null) => {
    if (command !== null && value !== null && !seen.has(name)) measures.push({ name, value, unit, line: command.line })
  }
  add('planned-duration', command?.durationMs ?? null, 'ms')
  add('planned-requests', command?.requests ?? null, null)
  add('worker-rate-limit', command?.workerRatePerSecond ?? null, 'requests/s')
  if (run.load.kind === 'open') add('connections', command?.connections ?? null, null)
  return measures
}

function listNotes(remarks: readonly Remark[]): Note[] {
  return remarks
    .filter(({ isNote }) => isNote)
    .map(({ text, line }) => ({ text: clipText(text, maxNoteText), line }))
    .sort((a, b) => a.line - b.line)
    .slice(0, maxNotes)
}

function toFact({ kind, key, value, line }: SourcedFact, hasEnvironment: boolean): Fact {
  return { kind: kind === 'setting' ? (hasEnvironment ? 'environment' : 'label') : kind, key, value, line }
}
