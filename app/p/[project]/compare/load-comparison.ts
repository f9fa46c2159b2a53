import { setImmediate } from 'node:timers/promises'
import type { CompareView } from '@/components/compare/compare-view-state'
import { prepareComparison, type PreparedComparison, type WholeSides } from '@/components/compare/prepare-comparison'
import { NotFoundError } from '@/lib/errors'
import { maxRuns, maxSideRuns, readRef, readSides, repeatsRef } from '@/lib/judge/compare-url'
import { noiseOfSeries, seriesOfSides } from '@/lib/judge/history-noise'
import { reportedSteps } from '@/lib/rules/reported-steps'
import type { Granted } from '@/prisma/queries/projects/projects'
import { listFindings } from '@/prisma/queries/alerts/alerts'
import { getRuns, listRepeats, listRuns } from '@/prisma/queries/runs/runs'
import { listSeriesNoise } from '@/prisma/queries/series/trends'

/** The runs that the refs of an address name, side by side in this view. Throws NotFoundError when one is missing. */
export async function loadComparison(
  project: Granted<'read'>,
  refs: string,
  view: CompareView,
): Promise<PreparedComparison> {
  const named = readSides(refs) ?? []
  const most = Math.min(maxSideRuns, Math.floor(maxRuns / Math.max(1, named.length)))
  const find = async (ref: string): Promise<FoundRef> => {
    const wanted = readRef(ref)
    if (wanted.kind === 'id') return { ref, ids: [wanted.id] }
    if (wanted.kind === 'repeats') {
      const repeats = (await listRepeats(project, [wanted.id], most)).get(wanted.id) ?? [wanted]
      return { ref, ids: repeats.map(({ id }) => id).reverse() }
    }
    const { rows } = await listRuns(project, wanted.filter, { sort: 'time', direction: 'desc', limit: 1 })
    const [row] = rows
    if (!row) throw new NotFoundError('Run')
    return { ref: row.id, ids: [row.id] }
  }
  const found = await Promise.all(named.map((side) => Promise.all(side.map(find))))
  const ids = found.map((side) => side.flatMap((one) => one.ids))
  if (new Set(ids.flat()).size > maxRuns) throw new NotFoundError('Comparison')
  const runs = await getRuns(project, ids.flat())
  // Two refs may name the same run: it is taken once, at its first place.
  const left = new Map(runs.map((run) => [run.id, run]))
  const take = (id: string) => {
    const run = left.get(id)
    left.delete(id)
    return run ?? []
  }
  const sides = ids.map((side) => side.flatMap(take)).filter((side) => side.length > 0)
  const noises = await listSeriesNoise(project, seriesOfSides(sides))
  const findings = await listFindings(project, seriesOfSides(sides.slice(1)))
  // Judging hundreds of runs takes as long as other requests should wait at most.
  await setImmediate()
  const prepared = prepareComparison(sides, view, noiseOfSeries(noises), reportedSteps(findings), findings)
  if (!prepared) throw new NotFoundError('Comparison')
  await setImmediate()
  const whole = await wholeOf(project, prepared.sides, most)
  return { ...prepared, refs: refsOf(prepared.sides, found), whole }
}

/** A ref and the runs that it names. */
interface FoundRef {
  /** Never `@latest`: links from a page point to the runs that it shows. */
  readonly ref: string
  readonly ids: readonly string[]
}

/** What represents each side in addresses: its runs, except those that another of its runs represents. */
function refsOf(
  sides: PreparedComparison['sides'],
  found: readonly (readonly FoundRef[])[],
): PreparedComparison['refs'] {
  return sides.map((side) => {
    const runs = new Set(side.map(({ id }) => id))
    const given = found.flat().filter(({ ids }) => ids.every((id) => runs.has(id)))
    const isAll = new Set(given.flatMap(({ ids }) => ids)).size === runs.size
    return isAll ? [...new Set(given.map(({ ref }) => ref))] : [...runs]
  })
}

/** Sides of rounds with all of their rounds: lists and matrices link to a part of a long experiment. */
async function wholeOf(
  project: Granted<'read'>,
  sides: PreparedComparison['sides'],
  most: number,
): Promise<WholeSides | null> {
  if (sides.length < 2 || sides.flat().some(({ labels }) => labels['round'] === undefined)) return null
  const newest = sides.map(([first, ...rest]) => rest.reduce((a, b) => (b.orderedAt > a.orderedAt ? b : a), first).id)
  const found = await listRepeats(project, newest, most)
  const ids = newest.map((id) => (found.get(id) ?? []).map((run) => run.id))
  const isMore = sides.some((side, at) => side.length < (ids[at]?.length ?? 0))
  const holdsAll = sides.every((side, at) => side.every(({ id }) => ids[at]?.includes(id)))
  return isMore && holdsAll
    ? { refs: newest.map((id) => [repeatsRef(id)]), counts: ids.map(({ length }) => length) }
    : null
}
