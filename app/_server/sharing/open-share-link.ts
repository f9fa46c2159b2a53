import { createHash, randomBytes } from 'node:crypto'
import { cache } from 'react'
import { NotFoundError } from '@/lib/errors'
import { readSides } from '@/lib/judge/compare-url'
import { maskSecrets } from '@/lib/secrets'
import type { BoardRun } from '@/lib/board/series'
import type { RunRow, StoredRun } from '@/lib/history/stored-runs'
import type { OpenedShare } from '@/lib/project/stored-shares'
import { openShare } from '@/prisma/queries/projects/shares'
import { getJudgements, getRunRows, getRuns, listFailures } from '@/prisma/queries/runs/runs'
import { stranger } from '../http/request-viewer'
import { maskedForStrangers } from '../uploads/mask-upload'
import { readRunLines } from '../uploads/read-run-lines'
import { linesOfPage, mostOfPage, type UploadLine } from '../uploads/read-upload-lines'

/** 256 random bits as 43 characters of base64url. Shown once; only its hash is stored. */
export function newShareToken(): string {
  return randomBytes(32).toString('base64url')
}

export const shareTokenSha256 = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The contents of a link, read with the rights of its share alone. */
export type OpenedLink = OpenedRuns | OpenedMatrix | OpenedBoard

export interface OpenedRuns {
  readonly kind: 'runs'
  readonly share: OpenedShare
  readonly runs: readonly [StoredRun, ...StoredRun[]]
}

export interface OpenedMatrix {
  readonly kind: 'matrix'
  readonly share: OpenedShare
  readonly runs: readonly RunRow[]
  /** How requests failed, by run: for runs in which no request succeeded. */
  readonly failures: ReadonlyMap<string, readonly string[]>
}

export interface OpenedBoard {
  readonly kind: 'board'
  readonly share: OpenedShare
  readonly runs: readonly BoardRun[]
}

async function open(token: string, counted: boolean): Promise<OpenedLink | null> {
  if (!/^[\w-]{43}$/.test(token)) return null
  try {
    const opened = await openShare(stranger, shareTokenSha256(token), { now: new Date(), counted })
    const share = { ...opened, notes: maskSecrets(opened.notes).text }
    const shared = { viewer: { kind: 'share', runIds: share.runIds }, id: share.projectId } as const
    if (share.kind === 'board') {
      const rows = await getRunRows(shared, share.runIds)
      const judgements = await getJudgements(shared, share.runIds)
      const runs = rows.map((row) => ({ ...row, judgement: judgements.get(row.id) ?? null }))
      return { kind: 'board', share, runs: maskedForStrangers(runs) }
    }
    if (share.kind === 'matrix') {
      const runs = maskedForStrangers(await getRunRows(shared, share.runIds))
      const failures = await listFailures(shared, runs)
      const masked = new Map([...failures].map(([id, kinds]) => [id, maskedForStrangers(kinds)]))
      return {
        kind: 'matrix',
        share: { ...share, cellNotes: maskedForStrangers(share.cellNotes) },
        runs,
        failures: masked,
      }
    }
    const [first, ...others] = shownToStrangers(await getRuns(shared, share.runIds))
    if (!first) return null
    return { kind: 'runs', share, runs: [first, ...others] }
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

/** Opens a link for one of its files; null when there is none, for any reason. */
export const openShareLink = (token: string): Promise<OpenedLink | null> => open(token, false)

/** Opens a link for its page, once per request; null when there is none, for any reason. `counted`: as in openShare. */
export const viewShareLink = cache((token: string, counted: boolean): Promise<OpenedLink | null> =>
  open(token, counted),
)

/**
 * A cell of a shared matrix, its runs beside those of its base, or the run of a row of a shared board. `refs`: ids as in a comparison's address, each of them
 * in the share; null: they are not, or were deleted.
 */
export const openSharedCell = cache(
  async ({ share }: OpenedMatrix | OpenedBoard, refs: string): Promise<OpenedRuns | null> => {
    const sides = readSides(refs)
    const ids = sides?.flat() ?? []
    if (sides === null || ids.some((id) => !share.runIds.includes(id))) return null
    try {
      const shared = { viewer: { kind: 'share', runIds: ids }, id: share.projectId } as const
      const [first, ...others] = shownToStrangers(await getRuns(shared, ids))
      if (!first || others.length + 1 !== ids.length) return null
      const kind = sides.length === 1 ? 'run' : 'comparison'
      const own = { ...share, kind, runIds: ids, sideSizes: sides.map(({ length }) => length), view: '' } as const
      return { kind: 'runs', share: own, runs: [first, ...others] }
    } catch (error) {
      if (error instanceof NotFoundError) return null
      throw error
    }
  },
)

const shownToStrangers = (runs: readonly StoredRun[]): readonly StoredRun[] =>
  runs.map((run) => (run.upload.keepSecrets ? maskedForStrangers(run) : run))

/** Each run's own lines of its file, as many as a page shows; none if the share leaves them out. */
export async function sharedLines({ share, runs }: OpenedRuns): Promise<readonly (readonly UploadLine[])[]> {
  if (!share.includeRaw) return runs.map(() => [])
  const found = await readRunLines(runs, mostOfPage(runs.length))
  return runs.map(({ id }) => {
    const lines = linesOfPage(found.get(id)?.lines ?? [], runs.length)
    // Also if the owner chose to keep secrets, or if packed bytes are stored as they came.
    return lines.map(({ number, text }) => ({ number, text: maskSecrets(text).text }))
  })
}
