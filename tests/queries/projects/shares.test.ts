import { createHash, randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { ConflictError, InvalidInputError, NotFoundError } from '@/lib/errors'
import { noiseAsFrozen, noiseOfSeries, seriesOfSides } from '@/lib/judge/history-noise'
import { localViewer, type Viewer } from '@/lib/viewer'
import { makeShare, shareSchema } from '@/app/_server/sharing/make-share'
import { openShareLink } from '@/app/_server/sharing/open-share-link'
import { viewOf } from '@/components/compare/compare-view-state'
import { prepareComparison } from '@/components/compare/prepare-comparison'
import { setCellNote } from '@/prisma/queries/projects/cell-notes'
import { deleteRun, getRuns, listRuns } from '@/prisma/queries/runs/runs'
import { listSeriesNoise } from '@/prisma/queries/series/trends'
import { deleteProject, grant } from '@/prisma/queries/projects/projects'
import {
  createShare,
  listShares,
  openShare,
  revokeShare,
  setShareEmbeddable,
  type NewShare,
} from '@/prisma/queries/projects/shares'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnOneEngine } from '../engines'
import { uploadRuns } from '../alerts/raise-alert'
import { sampleFile, sampleImport, sampleProject, sampleRun, toEdit, toRead } from '../samples'

const stranger: Viewer = { kind: 'share', runIds: [] }
const now = new Date('2026-11-21T09:00:00.000Z')
const later = (ms: number) => new Date(now.getTime() + ms)

async function sharedProject() {
  const project = await sampleProject()
  const granted = await grant(localViewer, project, 'administer')
  const { runs } = await saveImport(localViewer, sampleImport(project.id, sampleFile([sampleRun(), sampleRun()])))
  const share = (fields: Partial<NewShare> = {}): NewShare => ({
    name: 'For the team',
    kind: 'comparison',
    runIds: runs.map((run) => run.id).reverse(),
    sideSizes: [1, 1],
    view: 'm=p99',
    notes: '**faster**',
    includeRaw: false,
    tokenSha256: createHash('sha256').update(randomUUID()).digest('hex'),
    expiresAt: later(1_000),
    ...fields,
  })
  return { project, granted, runs, share }
}

describeOnOneEngine('shares', () => {
  it('open only with their token, in the shared order and view, and count their views', async () => {
    const { granted, share } = await sharedProject()
    const wanted = share()
    const made = await createShare(granted, wanted)
    expect(JSON.stringify(made)).not.toContain(wanted.tokenSha256)
    const opened = await openShare(stranger, wanted.tokenSha256, { now, counted: true })
    expect(opened).toMatchObject({ name: 'For the team', runIds: wanted.runIds, view: 'm=p99', notes: '**faster**' })
    await openShare(stranger, wanted.tokenSha256, { now, counted: false })
    expect(await listShares(granted)).toMatchObject([{ id: made.id, viewCount: 1, lastViewedAt: now.toISOString() }])
  })

  it('end by expiry, by revocation, and with their project, with the same message', async () => {
    const { granted, share } = await sharedProject()
    const opens = (tokenSha256: string, at: Date) => openShare(stranger, tokenSha256, { now: at, counted: true })
    const [brief, revoked, endless] = [share(), share(), share({ expiresAt: null })]
    await createShare(granted, brief)
    await createShare(granted, endless)
    const { id } = await createShare(granted, revoked)
    await opens(brief.tokenSha256, later(999))
    const words: string[] = []
    const fails = async (tokenSha256: string, at: Date) => {
      const error: unknown = await opens(tokenSha256, at).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(NotFoundError)
      words.push(String(error))
    }
    await fails(brief.tokenSha256, later(1_000))
    await opens(revoked.tokenSha256, now)
    expect(await revokeShare(granted, id, now)).toMatchObject({ revokedAt: now.toISOString() })
    await expect(revokeShare(granted, id, now)).rejects.toThrow(ConflictError)
    await fails(revoked.tokenSha256, now)
    await opens(endless.tokenSha256, later(1e12))
    await deleteProject(granted)
    await fails(endless.tokenSha256, now)
    for (const odd of ['', ':token', '[token]', '\u0000', 'f'.repeat(64)]) await fails(odd, now)
    expect(new Set(words).size).toBe(1)
  })

  it('can be embedded only if a person allows it, and not once they are revoked', async () => {
    const { project, granted, share } = await sharedProject()
    const [plain, allowed] = [share(), share({ embeddable: true })]
    const opened = async ({ tokenSha256 }: NewShare) => openShare(stranger, tokenSha256, { now, counted: false })
    const { id } = await createShare(granted, plain)
    await createShare(granted, allowed)
    expect(await opened(plain)).toMatchObject({ embeddable: false, projectName: project.name })
    expect(await opened(allowed)).toMatchObject({ embeddable: true })
    expect(await setShareEmbeddable(granted, id, true)).toMatchObject({ id, embeddable: true })
    expect(await opened(plain)).toMatchObject({ embeddable: true })
    await setShareEmbeddable(granted, id, false)
    expect(await opened(plain)).toMatchObject({ embeddable: false })
    const other = await sharedProject()
    await expect(setShareEmbeddable(other.granted, id, true)).rejects.toThrow(NotFoundError)
    await expect(setShareEmbeddable(granted, 'x', true)).rejects.toThrow(NotFoundError)
    await revokeShare(granted, id, now)
    await expect(setShareEmbeddable(granted, id, true)).rejects.toThrow(ConflictError)
  })

  it("refuse other projects' runs, too many runs and empty names", async () => {
    const { granted, share } = await sharedProject()
    const other = await sharedProject()
    const foreign = other.runs.map((run) => run.id)
    await expect(createShare(granted, share({ runIds: foreign }))).rejects.toThrow(NotFoundError)
    await expect(createShare(granted, share({ runIds: ['x'], sideSizes: [1] }))).rejects.toThrow(NotFoundError)
    await expect(createShare(granted, share({ runIds: [] }))).rejects.toThrow(InvalidInputError)
    await expect(createShare(granted, share({ kind: 'run' }))).rejects.toThrow(InvalidInputError)
    await expect(createShare(granted, share({ sideSizes: [1] }))).rejects.toThrow(InvalidInputError)
    await expect(createShare(granted, share({ sideSizes: [3, -1] }))).rejects.toThrow(InvalidInputError)
    await expect(createShare(granted, share({ name: ' ' }))).rejects.toThrow(InvalidInputError)
  })

  it("freeze a comparison with its page's knowledge of the noise: later runs change nothing", async () => {
    const project = await sampleProject()
    const granted = await grant(localViewer, project, 'edit')
    await uploadRuns(project.id, { count: 12, ms: 100, evaluations: 0 })
    const { rows } = await listRuns(await toRead(project.id), {}, { sort: 'time', direction: 'desc', limit: 2 })
    const ids = rows.map(({ id }) => id).reverse()
    const runs = await getRuns(await toRead(project.id), ids)
    const sides = runs.map((run) => [run])
    const noises = await listSeriesNoise(await toRead(project.id), seriesOfSides(sides))
    const onPage = prepareComparison(sides, viewOf('m=p99'), noiseOfSeries(noises))?.comparison
    expect(onPage?.rows[0]?.deltas[0]).toMatchObject({ method: 'history' })
    const wanted = { name: 'Steady', kind: 'comparison', sides: ids.map((id) => [id]), view: 'm=p99' }
    const { url } = await makeShare(granted, shareSchema.parse(wanted), new Headers())
    await uploadRuns(project.id, { count: 6, ms: 300, evaluations: 0 })
    const link = await openShareLink(url.slice(-43))
    const shared = prepareComparison(sides, viewOf('m=p99'), noiseAsFrozen(link?.share.noise ?? []))?.comparison
    expect(shared).toEqual(onPage)
    expect(prepareComparison(sides, viewOf('m=p99'), () => null)?.comparison).not.toEqual(onPage)
  })

  it('freeze a matrix: its runs, its view, and the notes in its own cells', async () => {
    const { project, granted, runs, share } = await sharedProject()
    const scenario = runs[0]?.scenario ?? ''
    const note = { scenario, variant: 'gone', environment: null, text: 'not possible' }
    await setCellNote(granted, note)
    await setCellNote(granted, { ...note, scenario: 'elsewhere', text: 'unrelated' })
    const wanted = { name: 'Grid', kind: 'matrix', sides: [runs.map(({ id }) => id)], view: 'base=x' }
    const { url } = await makeShare(granted, shareSchema.parse(wanted), new Headers())
    await setCellNote(granted, { ...note, text: 'said later' })
    const link = await openShareLink(url.slice(-43))
    expect(link).toMatchObject({ kind: 'matrix', share: { view: 'base=x', cellNotes: [note] } })
    expect(link?.runs.map(({ id }) => id)).toEqual(runs.map(({ id }) => id))
    await deleteRun(await toEdit(project.id), runs[0]?.id ?? '')
    expect(await openShareLink(url.slice(-43))).toBeNull()
    const many = Array.from({ length: 201 }, (_, at) => String(at))
    await expect(createShare(granted, share({ kind: 'matrix', runIds: many, sideSizes: [201] }))).rejects.toThrow(
      InvalidInputError,
    )
  })
})
