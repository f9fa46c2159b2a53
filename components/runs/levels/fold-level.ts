import { plural } from '@/lib/format'
import type { JudgedRow } from '@/lib/run/judgement'

/** Rows of a level that are folded into a line. */
export interface Fold {
  /** After so many rows. */
  readonly after: number
  readonly isOpen: boolean
  /** `11 more runs of this level, as expected`. */
  readonly words: string
  /** To the list with them, or without. */
  readonly href: string
}

/** The parts of a list of one series: since its latest change, and before it. */
export type LevelPart = 'since' | 'before'

interface FoldedRow {
  /** How it stands in its level; null: not judged yet. */
  readonly judged: JudgedRow | null
  readonly isFirstInLevel?: true
  readonly missed?: readonly unknown[]
}

/** Rows of a part that are always shown, newest first. */
const shownFirst: Readonly<Record<LevelPart, number>> = { since: 8, before: 4 }
/** Fewer rows are not worth a line of their own. */
const minFolded = 3

const openName = 'open'
const partsIn = (params: URLSearchParams): readonly string[] => (params.get(openName) ?? '').split('.')

/** Its level says everything about it; other runs are shown wherever they are. */
const isLikeOthers = ({ judged, isFirstInLevel, missed }: FoldedRow): boolean =>
  judged?.state === 'as-expected' && isFirstInLevel === undefined && missed === undefined

/** The rows of a part without those that are like the others, which are behind a line; the address opens it. */
export function foldLevel<Row extends FoldedRow>(
  runs: readonly Row[],
  part: LevelPart,
  path: string,
  params: URLSearchParams,
): { readonly runs: readonly Row[]; readonly fold?: Fold } {
  const after = shownFirst[part]
  const folded = new Set(runs.slice(after).filter(isLikeOthers))
  if (folded.size < minFolded) return { runs }
  const isOpen = partsIn(params).includes(part)
  const words = isOpen
    ? `Fold ${plural(folded.size, 'run')} of this level`
    : `${folded.size} more runs of this level, as expected`
  const fold = { after, isOpen, words, href: hrefOf(part, isOpen, path, params) }
  return { runs: isOpen ? runs : runs.filter((run) => !folded.has(run)), fold }
}

/** The same page of the list. */
function hrefOf(part: LevelPart, isOpen: boolean, path: string, params: URLSearchParams): string {
  const next = new URLSearchParams(params)
  const others = partsIn(params).filter((one) => one !== part && one !== '')
  const open = isOpen ? others : [...others, part]
  if (open.length === 0) next.delete(openName)
  else next.set(openName, open.join('.'))
  return next.size === 0 ? path : `${path}?${next.toString()}`
}
