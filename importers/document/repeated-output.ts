import type { FoundBlock } from './block-finder'

/** A label and a rule under it may be in between. */
const maxLinesBetween = 4

/** Merges a run with a repetition of it directly below, where its form can recognise one. Blocks rise by first line. */
export function mergeRepeatedOutput(blocks: readonly FoundBlock[]): FoundBlock[] {
  const joined: FoundBlock[] = []
  for (const found of blocks) {
    const last = joined.at(-1)
    const completed = last === undefined ? null : complete(last, found)
    if (completed === null) joined.push(found)
    else joined[joined.length - 1] = completed
  }
  return joined
}

function complete(above: FoundBlock, below: FoundBlock): FoundBlock | null {
  const { completes } = below.block
  const run = above.block.runs.at(-1)
  const between = below.block.lines[0] - above.block.lines[1] - 1
  if (completes === undefined || run === undefined || above.mark !== below.mark || between > maxLinesBetween)
    return null
  const completed = completes(run)
  if (completed === null) return null
  return {
    mark: above.mark,
    block: {
      lines: [above.block.lines[0], below.block.lines[1]],
      runs: [...above.block.runs.slice(0, -1), completed],
      problems: [...above.block.problems, ...below.block.problems],
    },
  }
}
