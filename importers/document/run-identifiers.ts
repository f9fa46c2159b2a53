import type { UtcIso } from '../../lib/run/run'
import { readRecipe, type LineFact } from './facts'
import { isOnlyLinks, listLinks } from './markdown-inline'
import type { BlockPlace, DocumentStructure, Section } from './structure'

/** Something beside a block that identifies its run. */
export interface RunIdentifier {
  readonly kind: 'id' | 'result-link' | 'address'
  readonly line: number
  /** The id, or the address. */
  readonly value: string
  /** When the run began, if `value` has a 13-digit epoch; else null. */
  readonly startedAt: UtcIso | null
  /** Duration and rate in the address: `vegeta-60s-400rps-1612980675322`. */
  readonly facts: readonly LineFact[]
}

/**
 * Identifiers for each block, in the given order; all of a block's identifiers are in its section, at most one of each
 * kind.
 */
export function assignIdentifiers(
  structure: DocumentStructure,
  blocks: readonly BlockPlace[],
): (readonly RunIdentifier[])[] {
  const identifiersOf = collectIdentifiers(structure)
  const blocksOf = new Map<Section, BlockPlace[]>()
  blocks.forEach((block, index) => {
    const section = structure.blockSections[index]
    if (section === undefined) return
    const list = blocksOf.get(section) ?? []
    list.push(block)
    blocksOf.set(section, list)
  })
  return blocks.map((block, index) => {
    const section = structure.blockSections[index] ?? structure.root
    return chooseIdentifiers(identifiersOf.get(section) ?? [], blocksOf.get(section) ?? [], block)
  })
}

/** Several blocks under one heading: an author puts the identifiers above each, or below each. */
function chooseIdentifiers(
  identifiers: readonly RunIdentifier[],
  blocks: readonly BlockPlace[],
  block: BlockPlace,
): RunIdentifier[] {
  const first = blocks[0]
  if (identifiers.length === 0 || first === undefined) return []
  const at = blocks.indexOf(block)
  const before = blocks[at - 1]?.lastLine ?? 0
  const after = blocks[at + 1]?.line ?? Infinity
  const isAbove = identifiers.some(({ line }) => line < first.line)
  const near = identifiers.filter(({ line }) => {
    if (blocks.length === 1) return true
    return isAbove ? line > before && line < block.line : line > block.lastLine && line < after
  })
  // The one right above the block is the nearest; else the first below it.
  const ordered = [
    ...near.filter(({ line }) => line < block.line).reverse(),
    ...near.filter(({ line }) => line > block.line),
  ]
  return ordered.filter((identifier, index) => ordered.findIndex(({ kind }) => kind === identifier.kind) === index)
}

function collectIdentifiers(structure: DocumentStructure): Map<Section, RunIdentifier[]> {
  const identifiers = new Map<Section, RunIdentifier[]>()
  const add = (section: Section, identifier: RunIdentifier | null) => {
    if (identifier === null) return
    const list = identifiers.get(section) ?? []
    list.push(identifier)
    identifiers.set(section, list)
  }
  for (const entry of structure.entries) {
    if (entry.kind === 'item')
      readIdentifiers(entry.text, entry.line, false).forEach((identifier) => add(entry.section, identifier))
    else if (entry.kind === 'code')
      readIdentifiers(entry.line.text, entry.line.number, true).forEach((identifier) => add(entry.section, identifier))
    else if (entry.kind === 'paragraph')
      for (const { text, number } of entry.lines)
        readIdentifiers(text, number, false).forEach((identifier) => add(entry.section, identifier))
  }
  return identifiers
}

function readIdentifiers(text: string, line: number, isCode: boolean): RunIdentifier[] {
  const id = /^\s*(?:[-*] )?ID:\s*(\S{1,100})\s*$/i.exec(text)?.[1]
  if (id !== undefined) return [{ kind: 'id', line, value: id, startedAt: readEpoch(id), facts: [] }]
  if (isCode || !text.includes('://')) return []
  return listLinks(text).flatMap((link): RunIdentifier[] => {
    if (!/^https?:/.test(link.url)) return []
    const startedAt = readEpoch(link.url)
    const facts = readRecipe(link.url.replace(/[-_/]/g, ' '))?.facts ?? []
    const isResult =
      startedAt !== null || facts.length > 0 || /^(?:(?:full|raw) )?(?:results?|report)$/i.test(link.text ?? '')
    if (isResult) return [{ kind: 'result-link', line, value: link.url, startedAt, facts }]
    // A line above the output that is one bare address: what was measured.
    return link.text === null && isOnlyLinks(text)
      ? [{ kind: 'address', line, value: link.url, startedAt: null, facts: [] }]
      : []
  })
}

const earliest = Date.UTC(2009, 0, 1)
const latest = Date.UTC(2100, 0, 1)

/** The 13-digit epoch in milliseconds that is the only one in a text, not part of a longer number; null: none. */
function readEpoch(text: string): UtcIso | null {
  const digits = /(?:^|\D)(\d{13})(?:\D|$)/.exec(text)?.[1]
  const epoch = Number(digits)
  return digits !== undefined && epoch >= earliest && epoch < latest ? new Date(epoch).toISOString() : null
}
