import type { UtcIso } from '../../lib/run/run'
import { readRecipe, type LineFact } from './facts'
import { isOnlyLinks, listLinks } from './markdown-inline'
import type { BlockPlace, DocumentStructure, Section } from './structure'

/** Something beside a block that identifies its run. */
export interface Clue {
  readonly kind: 'id' | 'result-link' | 'address'
  readonly line: number
  /** The id, or the address. */
  readonly value: string
  /** When the run began, if `value` has a 13-digit epoch; else null. */
  readonly startedAt: UtcIso | null
  /** Duration and rate in the address: `vegeta-60s-400rps-1612980675322`. */
  readonly facts: readonly LineFact[]
}

/** Clues for each block, in the given order; all of a block's clues are in its section, at most one of each kind. */
export function assignClues(structure: DocumentStructure, blocks: readonly BlockPlace[]): (readonly Clue[])[] {
  const cluesOf = collectClues(structure)
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
    return chooseClues(cluesOf.get(section) ?? [], blocksOf.get(section) ?? [], block)
  })
}

/** Several blocks under one heading: an author puts the clues above each, or below each. */
function chooseClues(clues: readonly Clue[], blocks: readonly BlockPlace[], block: BlockPlace): Clue[] {
  const first = blocks[0]
  if (clues.length === 0 || first === undefined) return []
  const at = blocks.indexOf(block)
  const before = blocks[at - 1]?.lastLine ?? 0
  const after = blocks[at + 1]?.line ?? Infinity
  const isAbove = clues.some(({ line }) => line < first.line)
  const near = clues.filter(({ line }) => {
    if (blocks.length === 1) return true
    return isAbove ? line > before && line < block.line : line > block.lastLine && line < after
  })
  // The one right above the block is the nearest; else the first below it.
  const ordered = [
    ...near.filter(({ line }) => line < block.line).reverse(),
    ...near.filter(({ line }) => line > block.line),
  ]
  return ordered.filter((clue, index) => ordered.findIndex(({ kind }) => kind === clue.kind) === index)
}

function collectClues(structure: DocumentStructure): Map<Section, Clue[]> {
  const clues = new Map<Section, Clue[]>()
  const add = (section: Section, clue: Clue | null) => {
    if (clue === null) return
    const list = clues.get(section) ?? []
    list.push(clue)
    clues.set(section, list)
  }
  for (const entry of structure.entries) {
    if (entry.kind === 'item') readClues(entry.text, entry.line, false).forEach((clue) => add(entry.section, clue))
    else if (entry.kind === 'code')
      readClues(entry.line.text, entry.line.number, true).forEach((clue) => add(entry.section, clue))
    else if (entry.kind === 'paragraph')
      for (const { text, number } of entry.lines)
        readClues(text, number, false).forEach((clue) => add(entry.section, clue))
  }
  return clues
}

function readClues(text: string, line: number, isCode: boolean): Clue[] {
  const id = /^\s*(?:[-*] )?ID:\s*(\S{1,100})\s*$/i.exec(text)?.[1]
  if (id !== undefined) return [{ kind: 'id', line, value: id, startedAt: readEpoch(id), facts: [] }]
  if (isCode || !text.includes('://')) return []
  return listLinks(text).flatMap((link): Clue[] => {
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
