import type { ImportProblem } from '@/lib/run/run'
import type { LineRange } from './shown-lines'

/** What a line belongs to: a run (by its place in the file), a problem, a part deliberately left out, or nothing. */
export type LineMark =
  { readonly kind: 'run'; readonly index: number } | { readonly kind: 'problem' | 'left-out' } | null

export interface DocumentLine {
  /** 1-based. */
  readonly number: number
  /** Shortened if it is too long to read. */
  readonly text: string
}

/** Neighbouring lines with the same mark. */
export interface DocumentPart {
  readonly mark: LineMark
  readonly lines: readonly DocumentLine[]
  /** Number of hidden lines right before this part. */
  readonly skipped: number
  /** Long and unmarked: shown on demand. */
  readonly folded: boolean
}

/** Longer unmarked stretches are folded, except for three lines at each end. */
const foldAbove = 14
const shownAtEnds = 3
/** For one line; for each of many long ones less, so that a page can hold them. */
const maxCharacters = 1_000
const fewCharacters = 80
const pageCharacters = 60_000

/** Divides a document into the blocks that became runs, the lines with problems, and the rest. Pure. */
export function prepareDocument(
  lines: readonly DocumentLine[],
  blocks: readonly { readonly lines: LineRange }[],
  problems: readonly Pick<ImportProblem, 'line' | 'lastLine' | 'severity'>[],
): readonly DocumentPart[] {
  const markOf = markReader(blocks, problems)
  const parts: { mark: LineMark; skipped: number; lines: DocumentLine[] }[] = []
  const characters = lines.reduce((sum, { text }) => sum + Math.min(text.length, maxCharacters), 0)
  const most = characters > pageCharacters ? fewCharacters : maxCharacters
  let expected = 1
  for (const { number, text } of lines) {
    const mark = markOf(number)
    const last = parts.at(-1)
    const line = { number, text: shortened(text, most) }
    if (last && number === expected && sameMark(last.mark, mark)) last.lines.push(line)
    else parts.push({ mark, skipped: number - expected, lines: [line] })
    expected = number + 1
  }
  // If no run was found, the text itself is all there is to look at.
  if (blocks.length === 0) return parts.map((part) => ({ ...part, folded: false }))
  return parts.flatMap((part) => fold(part))
}

/** What a line belongs to; a run's lines are its own, whatever problems are noted on them. */
function markReader(
  blocks: readonly { readonly lines: LineRange }[],
  problems: readonly Pick<ImportProblem, 'line' | 'lastLine' | 'severity'>[],
): (number: number) => LineMark {
  const holds = (number: number, first: number, last: number) => first <= number && number <= last
  return (number) => {
    const index = blocks.findLastIndex(({ lines }) => holds(number, lines[0], lines[1]))
    if (index >= 0) return { kind: 'run', index }
    const problem = problems.findLast(({ line, lastLine }) => line !== null && holds(number, line, lastLine ?? line))
    return problem ? { kind: problem.severity === 'info' ? 'left-out' : 'problem' } : null
  }
}

/** A line short enough to draw: minified JSON and base64 are not read letter by letter. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most)} … ${text.length - most} more characters`
}

function fold(part: Omit<DocumentPart, 'folded'>): readonly DocumentPart[] {
  if (part.mark !== null || part.lines.length <= foldAbove) return [{ ...part, folded: false }]
  const { lines, mark, skipped } = part
  return [
    { mark, skipped, lines: lines.slice(0, shownAtEnds), folded: false },
    { mark, skipped: 0, lines: lines.slice(shownAtEnds, -shownAtEnds), folded: true },
    { mark, skipped: 0, lines: lines.slice(-shownAtEnds), folded: false },
  ]
}

function sameMark(a: LineMark, b: LineMark): boolean {
  if (a === null || b === null) return a === b
  if (a.kind === 'run' && b.kind === 'run') return a.index === b.index
  return a.kind === b.kind
}
