import { z } from 'zod'
import { splitSides } from '@/lib/judge/compare-url'
import { reportedSteps } from '@/lib/rules/reported-steps'
import { listFindings } from '@/prisma/queries/alerts/alerts'
import { freezeNoise, newestOfSeries, seriesOfSides } from '@/lib/judge/history-noise'
import { shareKinds, defaultShareDays } from '@/lib/project/stored-shares'
import { listCellNotes } from '@/prisma/queries/projects/cell-notes'
import type { Granted } from '@/prisma/queries/projects/projects'
import { getRunRows } from '@/prisma/queries/runs/runs'
import { listSeriesNoise } from '@/prisma/queries/series/trends'
import { createShare } from '@/prisma/queries/projects/shares'
import type { MadeShare } from '../answers/project-answers'
import { newShareToken, shareTokenSha256 } from './open-share-link'
import { shareUrl } from './share-url'

const dayMs = 24 * 60 * 60 * 1000
const longestDays = 3_650

export const shareSchema = z.strictObject({
  name: z.string().trim().min(1).max(200),
  kind: z.enum(shareKinds),
  /** The base first; runs of one side repeat each other. A matrix or a board has one side with all runs. */
  sides: z
    .array(z.array(z.string().max(64)).min(1).max(200))
    .min(1)
    .max(10),
  view: z.string().max(2_000).default(''),
  notes: z.string().max(20_000).default(''),
  includeRaw: z.boolean().default(false),
  /** Of a comparison: what its difference stands with, which names values of its rows. */
  includeWhy: z.boolean().default(false),
  /** Whether pages of other sites may show it in a frame. */
  embeddable: z.boolean().default(false),
  /** Null: never. */
  expiresInDays: z.number().positive().max(longestDays).nullable().default(defaultShareDays),
})

export const sharePatchSchema = z.strictObject({ embeddable: z.boolean() })

/** Makes a share and the link to it. Throws NotFoundError, InvalidInputError. */
export async function makeShare(
  project: Granted<'edit'>,
  { expiresInDays, sides, ...wanted }: z.infer<typeof shareSchema>,
  headers: Headers,
): Promise<MadeShare> {
  const token = newShareToken()
  const expiresAt = expiresInDays === null ? null : new Date(Date.now() + expiresInDays * dayMs)
  const made = await createShare(project, {
    ...wanted,
    runIds: sides.flat(),
    sideSizes: sides.map((side) => side.length),
    expiresAt,
    tokenSha256: shareTokenSha256(token),
    noise: wanted.kind === 'run' || wanted.kind === 'board' ? [] : await noiseOf(project, wanted.kind, sides),
    cellNotes: wanted.kind === 'matrix' ? await notesOf(project, sides.flat(), wanted.view) : [],
  })
  return { ...made, url: shareUrl(token, headers) }
}

/** The noise of the sides, from their histories as of now. Throws NotFoundError. */
async function noiseOf(project: Granted<'read'>, kind: 'comparison' | 'matrix', sides: readonly (readonly string[])[]) {
  const runs = await getRunRows(project, sides.flat())
  const sizes = sides.map((side) => side.length)
  const bySide = kind === 'matrix' ? newestOfSeries(runs) : splitSides(runs, sizes)
  const noises = await listSeriesNoise(project, seriesOfSides(bySide))
  if (kind === 'matrix') return freezeNoise(bySide, noises)
  const findings = await listFindings(project, seriesOfSides(bySide.slice(1)))
  return freezeNoise(bySide, noises, reportedSteps(findings))
}

/** Notes on cells of these runs' scenarios, as far as the view shows them. Throws NotFoundError. */
async function notesOf(project: Granted<'read'>, runIds: readonly string[], view: string) {
  const runs = await getRunRows(project, runIds)
  const scenarios = new Set(runs.map((run) => run.scenario))
  const chosen = new URLSearchParams(view)
  const fits = (name: 'variant' | 'environment', value: string | null) =>
    value === null || (chosen.get(name) ?? value) === value
  const notes = await listCellNotes(project)
  return notes.filter(
    ({ scenario, variant, environment }) =>
      scenarios.has(scenario) && fits('variant', variant) && fits('environment', environment),
  )
}
