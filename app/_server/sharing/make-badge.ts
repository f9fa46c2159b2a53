import { makeBadge as drawBadge } from 'badge-maker'
import { z } from 'zod'
import { badgeFace, newestRunOf, type BadgeState } from '@/lib/rules/badge'
import { NotFoundError } from '@/lib/errors'
import { resolve } from '@/lib/theme'
import type { Viewer } from '@/lib/viewer'
import { createBadge, openBadge } from '@/prisma/queries/series/badges'
import { grant, type Granted } from '@/prisma/queries/projects/projects'
import { getJudgements } from '@/prisma/queries/runs/runs'
import { getSeriesHistories } from '@/prisma/queries/series/series'
import type { MadeBadge } from '../answers/project-answers'
import { stranger } from '../http/request-viewer'
import { newShareToken, shareTokenSha256 } from './open-share-link'
import { strangersOrigin } from './share-url'
import { themes } from '../themes'

export const badgeSchema = z.strictObject({
  metric: z.string().max(64),
  /** Text of its left part. */
  label: z.string().trim().min(1).max(60),
})

/** Makes a badge and its address. Throws NotFoundError, InvalidInputError, ConflictError. */
export async function makeBadge(
  project: Granted<'edit'>,
  seriesId: string,
  wanted: z.infer<typeof badgeSchema>,
  headers: Headers,
): Promise<MadeBadge> {
  const token = newShareToken()
  const { metric: metricId, label } = wanted
  const made = await createBadge(project, { seriesId, metricId, label, tokenSha256: shareTokenSha256(token) })
  const url = `${strangersOrigin(headers)}/badge/${token}.svg`
  return { ...made, url, markdown: `![${made.label.replace(/[\\[\]]/g, '\\$&')}](${url})` }
}

/** Newest runs that are read for a badge: for its figure, and to tell whether there are enough to judge. */
const judgedRuns = 50

/** Tokens; a badge has one look, that of the light theme. */
const colors: Readonly<Record<BadgeState, string>> = {
  'as-expected': 'var(--better)',
  better: 'var(--better)',
  worse: 'var(--worse)',
  failing: 'var(--worse)',
  invalid: 'var(--worse)',
  unusual: 'var(--worse)',
  'no-history': 'var(--muted)',
  'not-judged': 'var(--muted)',
  'no-runs': 'var(--muted)',
}

/** The badge at `<token>.svg`, as of now; null when there is none, for any reason. */
export async function drawBadgeFile(file: string): Promise<string | null> {
  const token = /^([\w-]{43})\.svg$/.exec(file)?.[1]
  if (token === undefined) return null
  try {
    const badge = await openBadge(stranger, shareTokenSha256(token))
    const owner: Viewer = { kind: 'system', projectId: badge.projectId }
    const project = await grant(owner, { id: badge.projectId }, 'read')
    const [history] = await getSeriesHistories(project, [badge.seriesId], judgedRuns)
    if (history === undefined) return null
    const newest = newestRunOf(badge.metricId, history)
    const judgements = await getJudgements(project, newest === null ? [] : [newest])
    const { label, value, state } = badgeFace(badge, history, judgements.get(newest ?? '') ?? null)
    const words = state.replace('-', ' ')
    const message = value === null ? words : `${value} · ${words}`
    return drawBadge({ label, message, color: resolve(themes.light)(colors[state]) })
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}
