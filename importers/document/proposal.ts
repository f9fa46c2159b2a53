import type { UtcIso } from '../../lib/run/run'
import { isGenericHeading, readDateHeading, readInstanceType, splitBranch } from './heading-names'
import { label, type LineFact } from './facts'
import { listLinks } from './markdown-inline'
import type { DocumentStructure, Section } from './structure'

/** A name and where it was read, in words. */
export interface Sourced {
  readonly value: string
  readonly source: string
}

const scriptName = /\.[cm]?[jt]s$/

/** The names that headings and commands propose for a run. Null: not stated. */
export interface ProposedNames {
  readonly scenario: Sourced | null
  readonly variant: Sourced | null
  readonly environment: Sourced | null
  /** The first instant of the day that a heading names. */
  readonly day: { readonly startedAt: UtcIso; readonly source: string } | null
  /** Labels in headings (branch, commit, payload), the nearest heading first. */
  readonly facts: readonly (LineFact & { readonly line: number })[]
}

/** What a run itself states about its name. */
export interface NamedRun {
  /** Function or table row; null: the block names none. */
  readonly name: string | null
  readonly line: number
  readonly url: string | null
  readonly method: string | null
  /** Where url and method were read: `command, line 24`. */
  readonly urlSource: string
}

/** The section's own heading and those above it, outermost first. */
export function listHeadings(section: Section): Section[] {
  const headings: Section[] = []
  for (let at: Section | null = section; at !== null && at.level > 0; at = at.parent) headings.unshift(at)
  return headings
}

/**
 * Proposes names: generic headings and dates are skipped; of the others the deepest one is the variant, or the
 * environment if it is an instance type, and the one above it the scenario, else the document's title. If the block
 * names the run itself (a function, a table row), that is the variant and the deepest heading the scenario.
 */
export function proposeNames(structure: DocumentStructure, section: Section, run: NamedRun): ProposedNames {
  const headings = listHeadings(section)
  const days = headings.filter(({ title }) => readDateHeading(title) !== null)
  const named = headings.filter((heading) => !days.includes(heading) && !isGenericHeading(heading.title))
  const machine = named.findLast(({ title }) => readInstanceType(title) !== null) ?? null
  const isDeepestMachine = machine !== null && machine === named.at(-1)
  const rest = named.filter(({ title }) => readInstanceType(title) === null)
  const title = findTitle(structure)
  const byCommand = nameByAddress(run)

  let scenario: Sourced | null
  let variant: Sourced | null
  const deepest = rest.at(-1)
  // A script's name is only a file name: what its author wrote above it is more informative.
  const isHeaded = run.name !== null && scriptName.test(run.name) && deepest !== undefined
  if (isHeaded) return proposeNames(structure, section, { ...run, name: null })
  if (run.name !== null && deepest !== undefined) {
    scenario = fromHeading(deepest, title)
    variant = { value: run.name, source: `name in the output, line ${run.line}` }
  } else if (run.name !== null) {
    scenario = { value: run.name, source: `name in the output, line ${run.line}` }
    variant = null
  } else if (isDeepestMachine || (rest.length === 1 && deepest === title)) {
    scenario = deepest ? fromHeading(deepest, title) : (byCommand ?? fromTitle(title))
    variant = null
  } else {
    const above = rest.at(-2) ?? (deepest === undefined ? null : title)
    scenario = above
      ? fromHeading(above, title)
      : (byCommand ?? (deepest ? fromHeading(deepest, title) : fromTitle(title)))
    variant = deepest && scenario?.source !== fromHeading(deepest, title).source ? fromHeading(deepest, title) : null
  }
  const day = days.at(-1)
  return {
    scenario,
    variant,
    environment: machine
      ? { value: readInstanceType(machine.title) ?? machine.title, source: `heading, line ${machine.line}` }
      : null,
    day: day
      ? { startedAt: readDateHeading(day.title) ?? '', source: `date in the heading, line ${day.line} (day only)` }
      : null,
    facts: headings.reverse().flatMap((heading) => readHeadingFacts(heading)),
  }
}

function findTitle({ sections }: DocumentStructure): Section | null {
  const isTitle = ({ level, title }: Section) =>
    level === 1 && !isGenericHeading(title) && readDateHeading(title) === null && readInstanceType(title) === null
  return sections.find(isTitle) ?? null
}

function fromHeading(heading: Section, title: Section | null): Sourced {
  const word = heading === title ? 'title' : 'heading'
  return { value: splitBranch(heading.title).name, source: `${word}, line ${heading.line}` }
}

function fromTitle(title: Section | null): Sourced | null {
  return title === null ? null : fromHeading(title, title)
}

/** `GET /ping` from an address. Without method: only the path. */
export function nameByAddress({
  url,
  method,
  urlSource,
}: Pick<NamedRun, 'url' | 'method' | 'urlSource'>): Sourced | null {
  const path = /^https?:\/\/[^/?#\s]{1,500}([^?#\s]{0,500})/.exec(url ?? '')?.[1]
  if (path === undefined) return null
  return { value: `${method === null ? '' : `${method} `}${path === '' ? '/' : path}`, source: urlSource }
}

function readHeadingFacts(heading: Section): (LineFact & { readonly line: number })[] {
  const facts: [key: string, value: string | undefined][] = [
    ['branch', splitBranch(heading.title).branch ?? undefined],
    ['payload', /\b(\d{1,9}(?:\.\d{1,3})? ?[kKMG]i?[bB]) (?:payload|body)\b/.exec(heading.title)?.[1]],
    [
      'commit',
      listLinks(heading.source)
        .map(({ url }) => /\/commits?\/([0-9a-f]{7,40})(?:[/?#]|$)/.exec(url)?.[1])
        .find((commit) => commit !== undefined),
    ],
  ]
  return facts.flatMap(([key, value]) => (value === undefined ? [] : [{ ...label(key, value), line: heading.line }]))
}
