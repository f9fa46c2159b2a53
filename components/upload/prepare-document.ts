import type { ImportProblem } from '@/lib/run'

/** What a line belongs to: a run (by its place in the file), a problem, a part deliberately left out, or nothing. */
export type LineMark =
  { readonly kind: 'run'; readonly index: number } | { readonly kind: 'problem' | 'left-out' } | null

export interface DocumentLine {
  /** 1-based. */
  readonly number: number
  readonly text: string
  readonly mark: LineMark
  /** First line of its run or problem: where links jump to. */
  readonly opens: boolean
}

/** Neighbouring lines with the same mark. `folded`: long and unmarked, shown on demand. */
export interface DocumentPart {
  readonly mark: LineMark
  readonly lines: readonly DocumentLine[]
  readonly folded: boolean
}

interface Block {
  readonly lines: readonly [first: number, last: number]
}

/** Unmarked stretches longer than this are folded but for three lines at each end. */
const foldAbove = 14
const keptAtEnds = 3

/** Divides a document into the blocks that became runs, the lines with problems, and the rest. Pure. */
export function prepareDocument(
  lines: readonly { readonly number: number; readonly text: string }[],
  blocks: readonly Block[],
  problems: readonly Pick<ImportProblem, 'line' | 'lastLine' | 'severity'>[],
): readonly DocumentPart[] {
  const marks = new Map<number, LineMark>()
  for (const { line, lastLine, severity } of problems) {
    if (line === null) continue
    const kind = severity === 'info' ? 'left-out' : 'problem'
    for (let number = line; number <= (lastLine ?? line); number += 1) marks.set(number, { kind })
  }
  blocks.forEach((block, index) => {
    for (let number = block.lines[0]; number <= block.lines[1]; number += 1) marks.set(number, { kind: 'run', index })
  })
  const parts: { mark: LineMark; lines: DocumentLine[] }[] = []
  for (const { number, text } of lines) {
    const mark = marks.get(number) ?? null
    const last = parts.at(-1)
    const opens = !last || !sameMark(last.mark, mark)
    const line = { number, text, mark, opens: opens && mark !== null }
    if (opens) parts.push({ mark, lines: [line] })
    else last.lines.push(line)
  }
  // Where no run was found, the text itself is all there is to look at.
  if (blocks.length === 0) return parts.map((part) => ({ ...part, folded: false }))
  return parts.flatMap((part) => fold(part))
}

function fold(part: Omit<DocumentPart, 'folded'>): readonly DocumentPart[] {
  if (part.mark !== null || part.lines.length <= foldAbove) return [{ ...part, folded: false }]
  const { lines, mark } = part
  return [
    { mark, lines: lines.slice(0, keptAtEnds), folded: false },
    { mark, lines: lines.slice(keptAtEnds, -keptAtEnds), folded: true },
    { mark, lines: lines.slice(-keptAtEnds), folded: false },
  ]
}

function sameMark(a: LineMark, b: LineMark): boolean {
  if (a === null || b === null) return a === b
  if (a.kind === 'run' && b.kind === 'run') return a.index === b.index
  return a.kind === b.kind
}
