import { sideMarks } from '@/lib/judge/side-marks'
import type { RunRow } from '@/lib/history/stored-runs'

type Field = 'scenario' | 'variant' | 'environment'
type Named = Pick<RunRow, Field | 'labels' | 'startedAt' | 'uploadedAt'>

/** From so many sides on, a comparison's title names what they share instead of them. */
export const minShort = 4

const fields: readonly Field[] = ['variant', 'environment', 'scenario']

/**
 * What distinguishes sides, as briefly as possible: the variant, else the environment, else the scenario, else more of
 * them, by their first runs; sides with the same names also get commits, rounds, dates or times, which are the whole
 * name of so many sides that the title names what they share.
 */
export function distinctNames(sides: readonly (readonly [Named, ...Named[]])[]): readonly string[] {
  const runs = sides.map(([run]) => run)
  const differing = fields.filter((field) => new Set(runs.map((run) => run[field])).size > 1)
  const candidates = [...differing.map((field) => [field]), differing]
  const names = candidates
    .map((chosen) => runs.map((run) => nameBy(run, chosen)))
    .find((all) => all.every((name) => name !== '') && new Set(all).size === all.length)
  if (names) return names
  const marks = runs.length < minShort || differing.length > 0 ? null : sideMarks(sides)
  if (marks !== null) return marks
  const long = runs.map((run) => nameBy(run, differing) || nameBy(run, ['variant']) || run.scenario)
  return runs.length < 2 ? long : markedNames(long, sides)
}

/** Names; those that several sides share get what distinguishes them, or else their position. */
export function markedNames(names: readonly string[], sides: readonly (readonly Named[])[]): readonly string[] {
  const marked = [...names]
  for (const name of new Set(names)) {
    const at = names.flatMap((one, index) => (one === name ? [index] : []))
    const alike = at.map((index) => sides[index] ?? [])
    const marks = alike.length < 2 ? null : sideMarks(alike)
    at.forEach((index, place) => {
      if (alike.length > 1) marked[index] = marks ? `${name} · ${marks[place] ?? ''}` : `${name} (${place + 1})`
    })
  }
  return marked
}

function nameBy(run: Named, chosen: readonly Field[]): string {
  return chosen
    .map((field) => run[field])
    .filter((part) => part !== null && part !== '')
    .join(' · ')
}
