import { pairingsOf, type Pairing } from '@/lib/files/sides'
import type { StoredRun } from '@/lib/history/stored-runs'
import { findInputs } from './inputs'
import { readInput, withoutOthers, type ReadFile } from './read-files'
import type { Terminal } from './terminal'
import { UsageError } from './usage'

/** Takes the place of `--` between sides; no file can have this name. */
export const separator = '\0'

/**
 * The arguments of each side: what stands between separators, or without one each argument by itself. Throws UsageError for
 * fewer than two sides.
 */
export function splitSides(args: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [[]]
  for (const arg of args) {
    if (arg === separator) groups.push([])
    else groups.at(-1)?.push(arg)
  }
  const sides = groups.length > 1 ? groups : args.map((arg) => [arg])
  if (sides.length < 2) throw new UsageError('compare needs two sides')
  if (sides.some((side) => side.length === 0)) throw new UsageError('a side has no file')
  return sides
}

/** Reads the files of all sides; a file is read once, also if two sides name it. */
export async function readSides(
  sides: readonly (readonly string[])[],
  terminal: Terminal,
): Promise<readonly (readonly ReadFile[])[]> {
  const known = new Map<string, Promise<ReadFile>>()
  const read: (readonly ReadFile[])[] = []
  for (const side of sides) {
    const inputs = (await Promise.all(side.map((name) => findInputs(name, terminal)))).flat()
    const files: ReadFile[] = []
    for (const input of new Map(inputs.map((one) => [one.name, one])).values()) {
      const file = known.get(input.name) ?? readInput(input, terminal)
      known.set(input.name, file)
      files.push(await file)
    }
    read.push(withoutOthers(files))
  }
  return read
}

/** What to compare. Throws UsageError if no name is on two sides. */
export function pairRuns(sides: readonly (readonly StoredRun[])[]): readonly Pairing[] {
  const pairings = pairingsOf(sides)
  if (pairings.length === 0) throw new UsageError('no run of the first file has the name of one in the others')
  return pairings
}
