import type { PlacedSides } from '../stats/placebo'
import { median } from '../stats/robust'

/** One run of an experiment: which side it measured, and when. */
export interface RoundRun {
  readonly side: 'base' | 'head'
  /** Start in seconds from any origin; null: unknown. */
  readonly startS: number | null
  /** Label of its round; null: none. */
  readonly round: string | null
}

/** How the runs of two sides are arranged in time. */
export interface Rounds<Run extends RoundRun> {
  /**
   * Each holds runs of both sides, next to each other in time; null: base and head cannot be paired, they are blocks.
   */
  readonly rounds: readonly (readonly Run[])[] | null
  readonly warnings: readonly ('unpaired' | 'labels-ignored' | 'order-unknown')[]
}

/** Share of labelled rounds that other runs may interrupt before the labels are ignored. */
const maxTornRatio = 0.2
/** A gap longer than this many median ones separates neighbouring runs. */
const maxGapRatio = 5

/**
 * The rounds of an experiment: by the label `round`, else by alternating start times, else none (blocks). Rounds by
 * time count if they hold half of the smaller side and at least two pairs (one if a side has one run).
 */
export function findRounds<Run extends RoundRun>(runs: readonly Run[]): Rounds<Run> {
  const warnings: Rounds<Run>['warnings'][number][] = []
  const timed = runs.flatMap((run) => (run.startS === null ? [] : [{ run, startS: run.startS }]))
  const isTimed = timed.length === runs.length
  timed.sort((a, b) => a.startS - b.startS)
  const inOrder = isTimed ? timed.map(({ run }) => run) : runs
  if (runs.every((run) => run.round !== null)) {
    const byLabel = new Map<string | null, Run[]>()
    for (const run of inOrder) byLabel.set(run.round, [...(byLabel.get(run.round) ?? []), run])
    const groups = [...byLabel.values()]
    const whole = groups.filter((group) => new Set(group.map((run) => run.side)).size === 2)
    const torn = isTimed ? whole.filter((group) => isTorn(group, inOrder)).length : 0
    if (torn <= maxTornRatio * whole.length) {
      if (whole.length < groups.length) warnings.push('unpaired')
      return { rounds: whole.length > 0 ? whole : null, warnings }
    }
    warnings.push('labels-ignored')
  }
  if (!isTimed || (runs.length > 2 && timed[0]?.startS === timed.at(-1)?.startS)) {
    return { rounds: null, warnings: [...warnings, 'order-unknown'] }
  }
  const pairs = pairNeighbours(timed)
  const smaller = Math.min(...(['base', 'head'] as const).map((side) => runs.filter((run) => run.side === side).length))
  if (pairs.length < Math.max(0.5 * smaller, Math.min(2, smaller))) return { rounds: null, warnings }
  if (2 * pairs.length < runs.length) warnings.push('unpaired')
  return { rounds: pairs, warnings }
}

function isTorn<Run>(group: readonly Run[], inOrder: readonly Run[]): boolean {
  const places = group.map((run) => inOrder.indexOf(run))
  return Math.max(...places) - Math.min(...places) >= group.length
}

interface Best {
  readonly pairs: number
  /** Seconds between the runs of all pairs, negative: less time is better. */
  readonly closeness: number
  readonly isPair: boolean
}

/** The most disjoint pairs of neighbours in time of different sides, of those the closest, by dynamic programming. */
function pairNeighbours<Run extends RoundRun>(
  timed: readonly { readonly run: Run; readonly startS: number }[],
): readonly (readonly [Run, Run])[] {
  const gaps = timed.slice(1).map(({ startS }, at) => startS - (timed[at]?.startS ?? startS))
  const maxGapS = gaps.length > 0 ? maxGapRatio * median(gaps) : 0
  const best: Best[] = [{ pairs: 0, closeness: 0, isPair: false }]
  for (let count = 1; count <= timed.length; count += 1) {
    const alone = { ...(best[count - 1] ?? { pairs: 0, closeness: 0 }), isPair: false }
    const before = best[count - 2]
    const gap = gaps[count - 2]
    const [one, two] = [timed[count - 2], timed[count - 1]]
    const canPair = before && gap !== undefined && one && two && one.run.side !== two.run.side && gap <= maxGapS
    const paired = canPair ? { pairs: before.pairs + 1, closeness: before.closeness - gap, isPair: true } : null
    const isBetter =
      paired !== null &&
      (paired.pairs > alone.pairs || (paired.pairs === alone.pairs && paired.closeness > alone.closeness))
    best.push(isBetter ? paired : alone)
  }
  const pairs: [Run, Run][] = []
  for (let at = timed.length; at > 0;) {
    const [one, two] = [timed[at - 2], timed[at - 1]]
    if (best[at]?.isPair && one && two) {
      pairs.unshift([one.run, two.run])
      at -= 2
    } else at -= 1
  }
  return pairs
}

/** From this many rounds on, all of them may follow a pattern. A few drawn ones do, too: their label states it. */
const minPatternRounds = 2

/**
 * The places of the sides, if they follow a pattern that was not drawn: one side after the other, or rounds of
 * neighbours that are all alike (ABAB) or reversed each time (ABBA). Null: drawn, or times are unknown.
 */
export function fixedOrderOf(runs: readonly RoundRun[]): PlacedSides | null {
  const timed = runs.flatMap(({ side, startS }) => (startS === null ? [] : [{ side, startS }]))
  if (timed.length < runs.length) return null
  const heads = timed.sort((a, b) => a.startS - b.startS).map(({ side }) => side === 'head')
  const changes = heads.filter((isHead, at) => at > 0 && isHead !== heads[at - 1]).length
  if (changes === 1) return { heads, isBlocks: true }
  const firsts = heads.filter((_, at) => at % 2 === 0)
  const isPaired = heads.every((isHead, at) => at % 2 === 0 || isHead !== heads[at - 1])
  if (!isPaired || heads.length % 2 === 1 || firsts.length < minPatternRounds) return null
  const turned = firsts.filter((isHead, at) => at > 0 && isHead !== firsts[at - 1]).length
  return turned === 0 || turned === firsts.length - 1 ? { heads, isBlocks: false } : null
}

/**
 * How many blocks each side ran in: runs of it without the other in between, in time; one each if no times are known.
 */
export function countSideBlocks(runs: readonly RoundRun[]): { readonly base: number; readonly head: number } {
  const timed = runs.flatMap(({ side, startS }) => (startS === null ? [] : [{ side, startS }]))
  timed.sort((a, b) => a.startS - b.startS)
  if (timed.length < runs.length || timed[0]?.startS === timed.at(-1)?.startS) return { base: 1, head: 1 }
  const count = (side: RoundRun['side']) =>
    timed.filter((one, at) => one.side === side && timed[at - 1]?.side !== side).length
  return { base: count('base'), head: count('head') }
}
