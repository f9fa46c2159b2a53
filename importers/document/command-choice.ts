import { tools } from '../../lib/run/tools'
import type { FoundCommand } from './command'
import { isGenericHeading } from './heading-names'
import type { BlockRun } from '../importer'
import type { DocumentStructure, Section } from './structure'

/**
 * Makes a function that chooses the command of a run: the nearest one of its tool above its block in the same section;
 * else the only one of a section around it (a list of commands for several variants does not identify any). Null: none.
 */
export function createCommandChooser(
  structure: DocumentStructure,
  commands: readonly FoundCommand[],
): (run: BlockRun, section: Section, firstLine: number) => FoundCommand | null {
  const bySection = new Map<Section, FoundCommand[]>()
  const byOwner = new Map<Section, FoundCommand[]>()
  for (const command of commands) {
    const section = sectionAt(structure, command.line)
    addTo(bySection, section, command)
    let owner = section
    while (owner.parent !== null && !owner.hasBlocks && isGenericHeading(owner.title)) owner = owner.parent
    addTo(byOwner, owner, command)
  }
  return (run, section, firstLine) => {
    const fits = (command: FoundCommand) => command.line < firstLine && mayHavePrinted(command, run)
    const own = bySection.get(section)?.findLast(fits)
    if (own !== undefined) return own
    for (let owner: Section | null = section; owner !== null; owner = owner.parent) {
      const found = (byOwner.get(owner) ?? []).filter(fits)
      const only = found[0]
      if (only !== undefined) return found.every(({ text }) => text === only.text) ? only : null
    }
    return null
  }
}

function addTo(map: Map<Section, FoundCommand[]>, section: Section, command: FoundCommand): void {
  const list = map.get(section)
  if (list === undefined) map.set(section, [command])
  else list.push(command)
}

/** The section of a line: the last one that begins above it. */
function sectionAt({ sections, root }: DocumentStructure, line: number): Section {
  let low = 0
  let high = sections.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sections[middle]?.line ?? Infinity) <= line) low = middle + 1
    else high = middle
  }
  return sections[low - 1] ?? root
}

function mayHavePrinted(command: FoundCommand, run: BlockRun): boolean {
  if (command.program !== tools[run.tool].program) return false
  const connections = connectionsOf(run)
  if (connections !== null && command.connections !== null && connections !== command.connections) return false
  return run.url === null || command.url === null || sameAddress(run.url, command.url)
}

/** As printed in its output; null: not printed. */
function connectionsOf({ load, measures }: BlockRun): number | null {
  if (load.kind === 'closed') return load.connections
  return measures.find(({ name }) => name === 'connections')?.value ?? null
}

function sameAddress(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '')
}
