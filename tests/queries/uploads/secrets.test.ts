import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { importUpload, type UploadRequest } from '@/app/_server/uploads/import-upload'
import { makeShare, shareSchema } from '@/app/_server/sharing/make-share'
import { openShareLink, sharedLines } from '@/app/_server/sharing/open-share-link'
import { reimportUpload } from '@/app/_server/uploads/reimport-upload'
import { comparisonMarkdown } from '@/app/s/comparison-markdown'
import { comparisonCsv, comparisonJson } from '@/components/shared/comparison-files'
import { comparisonPage } from '@/components/shared/comparison-page'
import { viewOf } from '@/components/compare/compare-view-state'
import { prepareComparison } from '@/components/compare/prepare-comparison'
import { localViewer } from '@/lib/viewer'
import { database } from '@/prisma/db'
import { grant } from '@/prisma/queries/projects/projects'
import { getRuns } from '@/prisma/queries/runs/runs'
import { getUpload } from '@/prisma/queries/uploads/uploads'
import { describeOnOneEngine } from '../engines'
import { sampleProject, toEdit, toRead } from '../samples'

const fixtures = path.join(import.meta.dirname, '../../fixtures')
const noClaims = { contentLength: null, sha256: null, isGzip: false }
const tables = [
  'upload',
  'draft_run',
  'run',
  'term',
  'term_change',
  'environment',
  'cell_note',
  'histogram',
  'series',
  'alert',
  'share',
]

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describeOnOneEngine('secrets', () => {
  let folder: string
  let planted: readonly (readonly [string, string])[]
  let document: string

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tailboard-secrets-'))
    process.env.TAILBOARD_DATA = folder
    const json: unknown = JSON.parse(await readFile(path.join(fixtures, 'secrets/planted.json'), 'utf8'))
    planted = z.array(z.tuple([z.string(), z.string()])).parse(json)
    const output = await readFile(path.join(fixtures, 'secrets/hey.txt'), 'utf8')
    document = planted.map(([line]) => `# GET /p\n\n${line}\n\n\`\`\`\n$ ${line}\n${output}\n\`\`\`\n`).join('\n')
  })
  afterAll(async () => {
    delete process.env.TAILBOARD_DATA
    await rm(folder, { recursive: true, force: true })
  })

  const requestOf = async (fields: Partial<UploadRequest> = {}): Promise<UploadRequest> => ({
    project: await toEdit((await sampleProject()).id),
    name: 'bench.md',
    labels: {},
    again: false,
    draft: false,
    keepSecrets: false,
    gate: false,
    ...fields,
  })
  const dump = async () => {
    const rows = await Promise.all(
      tables.map((table) => database().$queryRawUnsafe(`SELECT to_jsonb(t)::text AS row FROM "${table}" AS t`)),
    )
    return JSON.stringify(rows)
  }
  const secretsIn = (text: string) => planted.map(([, secret]) => secret).filter((secret) => text.includes(secret))

  it('in a text are in no table, no stored byte, no export, in chunks of any size', async () => {
    for (const size of [7, 65_536]) {
      const request = await requestOf()
      const outcome = await importUpload(request, inChunks(Buffer.from(document), size), noClaims)
      if (outcome.kind !== 'saved') throw new Error(outcome.kind)
      expect(outcome.runs.length).toBe(planted.length)
      const stored = await getRuns(
        await toRead(request.project.id),
        outcome.runs.slice(0, 10).map((run) => run.id),
      )
      const prepared = prepareComparison(
        stored.map((run) => [run]),
        viewOf(''),
        () => null,
      )
      if (!prepared) throw new Error('nothing to compare')
      const page = comparisonPage({ prepared, name: 'x', notes: '', raw: [], themes: { light: {}, dark: {} } })
      const markdown = await comparisonMarkdown(prepared, { name: 'x', notes: document, takeaways: '' })
      expect(secretsIn(page + comparisonCsv(prepared) + comparisonJson(prepared) + markdown)).toEqual([])
      await reimportUpload(await toEdit(request.project.id), outcome.upload.id)
      const { problems } = await getUpload(await toRead(request.project.id), outcome.upload.id)
      expect(problems.at(-1)).toMatchObject({ code: 'secrets-masked' })
    }
    expect(secretsIn(await dump())).toEqual([])
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      expect(secretsIn(await readFile(path.join(entry.parentPath, entry.name), 'utf8')), entry.name).toEqual([])
    }
  })

  it('in a packed text are in no table; the preview says what was masked', async () => {
    const request = await requestOf({ draft: true })
    const outcome = await importUpload(request, inChunks(gzipSync(document), 1_000), noClaims)
    if (outcome.kind !== 'draft') throw new Error(outcome.kind)
    expect(outcome.upload.problems.at(-1)).toMatchObject({ code: 'secrets-masked' })
    expect(outcome.upload.problems.at(-1)?.message).toContain('the file itself is stored unchanged')
    expect(secretsIn(await dump())).toEqual([])
  })

  it('are recognised by the bytes that were sent, and kept if the upload says so', async () => {
    const request = await requestOf()
    const send = (fields: Partial<UploadRequest> = {}) =>
      importUpload({ ...request, ...fields }, inChunks(Buffer.from(document), 999), noClaims)
    expect((await send()).kind).toBe('saved')
    expect((await send()).kind).toBe('duplicate')
    const kept = await send({ again: true, keepSecrets: true })
    if (kept.kind !== 'saved') throw new Error(kept.kind)
    const [run] = await getRuns(
      await toRead(request.project.id),
      kept.runs.slice(0, 1).map(({ id }) => id),
    )
    expect(run?.imported.command).toContain('PLANTED-01')
    const wanted = { name: 'Kept', kind: 'run', sides: [[run?.id]], notes: document.slice(0, 500), includeRaw: true }
    const granted = await grant(localViewer, request.project, 'edit')
    const shared = await makeShare(granted, shareSchema.parse(wanted), new Headers())
    const link = await openShareLink(shared.url.slice(-43))
    if (link?.kind !== 'runs') throw new Error('no link')
    const [lines] = await sharedLines(link)
    expect(lines?.length).toBeGreaterThan(5)
    expect(link.runs[0].imported.command).toContain('[masked]')
    expect(secretsIn(JSON.stringify([link.runs, link.share.notes, lines]))).toEqual([])
    await reimportUpload(await toEdit(request.project.id), kept.upload.id)
    const [again] = await getRuns(await toRead(request.project.id), [run?.id ?? ''])
    expect(again?.imported.command).toBe(run?.imported.command)
    expect((await getUpload(await toRead(request.project.id), kept.upload.id)).problems).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ code: 'secrets-masked' })]),
    )
  })
})
