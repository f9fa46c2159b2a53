import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { viewOf } from '@/components/compare/compare-view-state'
import type { PreparedComparison } from '@/components/compare/prepare-comparison'
import { addGenerators } from '@/lib/cube/add-cubes'
import type { Cube } from '@/lib/cube/cube'
import { maskedCube } from '@/lib/cube/masked-cube'
import { decodeCube } from '@/lib/history/cube-codec'
import { NotFoundError } from '@/lib/errors'
import { explainSides, type WhyAnswer, type WhyRun } from '@/lib/explain/explain-sides'
import type { StoredRun } from '@/lib/history/stored-runs'
import type { Granted } from '@/prisma/queries/projects/projects'
import { listCubes, type StoredCube } from '@/prisma/queries/runs/cubes'
import { loadComparison } from './load-comparison'

export interface LoadedWhy {
  readonly prepared: PreparedComparison
  /** Ids of the runs that the answer rests on: base, and the side that is compared with it. */
  readonly compared: readonly [base: readonly string[], head: readonly string[]]
  readonly answer: WhyAnswer
}

/** Runs of a side whose rows are added up, the newest: each takes a megabyte meanwhile. */
const maxRuns = 20

/** Answers by the bytes they were made of: those of the same runs are the same. */
const known = new LRUCache<string, WhyAnswer>({ max: 40 })

/**
 * What the difference between the base of an address and one of its other sides stands with. `at`: position of that
 * side. Throws NotFoundError when a run is missing, or there is no such side.
 */
export async function loadWhy(project: Granted<'read'>, refs: string, at = 1): Promise<LoadedWhy> {
  return whyOf(project, await loadComparison(project, refs, viewOf('')), at)
}

/**
 * The same of sides that were read already. A share shows names without likely secrets, whatever their owner kept.
 * Throws as `loadWhy` does.
 */
export async function whyOf(
  project: Parameters<typeof listCubes>[0],
  prepared: PreparedComparison,
  at: number,
): Promise<LoadedWhy> {
  const [base, head] = [prepared.sides[0].slice(-maxRuns), prepared.sides[at]?.slice(-maxRuns)]
  if (at < 1 || head === undefined) throw new NotFoundError('Side')
  const compared = [base.map(({ id }) => id), head.map(({ id }) => id)] as const
  const ids = compared.flat()
  const cubes = await listCubes(project, ids)
  const names = [prepared.names[0] ?? '', prepared.names[at] ?? ''] as const
  const isMasked = project.viewer.kind === 'share'
  const key = keyOf([names, compared, isMasked], cubes)
  const before = known.get(key)
  if (before !== undefined) return { prepared, compared, answer: before }
  const answer = explainSides(
    { name: names[0], runs: await runsOf(base, cubes, isMasked) },
    { name: names[1], runs: await runsOf(head, cubes, isMasked) },
  )
  if (answer.evidence !== null) known.set(key, answer)
  return { prepared, compared, answer }
}

/** Of a run, or of the parts of a merged one; null: one of them has no rows. */
async function cubeOf(counted: readonly StoredCube[]): Promise<WhyRun['cube']> {
  if (counted.some(({ cube, isDue }) => cube === null && isDue)) return 'due'
  let sum: Cube | null = null
  // One after the other: each takes a megabyte.
  for (const { cube } of counted) {
    const own: Cube | null = cube === null ? null : await decodeCube(cube)
    if (own === null) return null
    sum = sum === null ? own : addGenerators(sum, own)
  }
  return sum
}

function keyOf(of: unknown, cubes: readonly StoredCube[]): string {
  const hash = createHash('sha256').update(JSON.stringify(of))
  for (const { runId, cube } of cubes) hash.update(runId).update(cube ?? '-')
  return hash.digest('base64')
}

async function runsOf(
  side: readonly StoredRun[],
  cubes: readonly StoredCube[],
  isMasked: boolean,
): Promise<[WhyRun, ...WhyRun[]]> {
  const found: WhyRun[] = []
  for (const { id, imported: run } of side) {
    const parts = cubes.filter(({ partOf }) => partOf === id)
    const counted = parts.length > 0 ? parts : cubes.filter(({ runId }) => runId === id)
    const cube = await cubeOf(counted)
    found.push({ run, cube: cube !== null && cube !== 'due' && isMasked ? maskedCube(cube) : cube })
  }
  const [first, ...others] = found
  if (first === undefined) throw new NotFoundError('Run')
  return [first, ...others]
}
