import { z } from 'zod'
import { readHead } from '@/importers/text/bytes'
import { InvalidInputError, NotFoundError } from '@/lib/errors'
import type { UploadDetail } from '@/lib/history/stored-uploads'
import { listUploads as listPage } from '@/prisma/queries/uploads/upload-list'
import * as uploads from '@/prisma/queries/uploads/uploads'
import { runLinksAnswer, uploadAnswer, uploadPageAnswer, uploadProgressAnswer } from '../../answers/upload-answers'
import { carrierHeadBytes, findCarrier } from '@/importers/carriers/carrier-kind'
import { bodyOf, respondText } from '../../http/respond'
import { rawStore } from '../../store/process-store'
import { readUploadLines } from '../../uploads/read-upload-lines'
import { reimportUpload as reimport } from '../../uploads/reimport-upload'
import { requireRaw } from '../../uploads/require-raw'
import { findProgress, progressIdSchema } from '../../uploads/upload-progress'
import { uploadSlots } from '../../uploads/upload-slots'
import { conflict, file, inQuery, json, nothing, p, refusedFile } from '../operation'
import { projectOperation } from '../project-operation'

const maxListed = 1_000

export const listUploads = projectOperation(
  {
    at: `GET ${p}/uploads`,
    summary: 'List uploads',
    needs: 'read',
    query: z.object({
      before: z.string().optional().describe('The `nextBefore` of the previous page, for older uploads.'),
    }),
    answers: { 200: json('A page.', uploadPageAnswer) },
  },
  ({ project, query: { before } }) => listPage(project, { before, limit: maxListed }),
)

export const getUpload = projectOperation(
  {
    at: `GET ${p}/uploads/[upload]`,
    summary: 'Read an upload',
    needs: 'read',
    answers: { 200: json('The upload.', uploadAnswer) },
  },
  ({ project, params }) => uploads.getUpload(project, params.upload),
)

export const deleteUpload = projectOperation(
  {
    at: `DELETE ${p}/uploads/[upload]`,
    summary: 'Move an upload to the trash, or discard a draft',
    needs: 'edit',
    audit: 'upload.delete',
    answers: nothing,
    problems: conflict,
  },
  async ({ project, params, note }) => {
    const { id, state } = await uploads.getUpload(project, params.upload)
    if (state !== 'draft') return uploads.deleteUpload(project, id)
    await uploads.discardDraft(project, id)
    note({ draft: id, name: 'a draft, discarded' })
  },
)

export const getRaw = projectOperation(
  {
    at: `GET ${p}/uploads/[upload]/raw`,
    summary: 'The bytes of an upload, or some lines of its text',
    needs: 'read',
    parameters: [
      inQuery('lines', 'The first and last line: `12-58`.', { type: 'string', pattern: '^\\d{1,9}-\\d{1,9}$' }),
    ],
    answers: { 200: file('The file, or the lines.', 'text/plain', 'application/octet-stream') },
  },
  async ({ project, params, request }) => {
    const lines = new URL(request.url).searchParams.get('lines')
    if (lines === null) return respondRaw(await uploads.getUpload(project, params.upload))
    const [, first, last] = /^(\d{1,9})-(\d{1,9})$/.exec(lines) ?? []
    if (!first || !last)
      throw new InvalidInputError('lines must be first-last.', { field: 'lines', hint: 'For example lines=12-58.' })
    const found = await readUploadLines(project, params.upload, Number(first), Number(last))
    return respondText(found.map((line) => `${line.text}\n`).join(''))
  },
)

async function respondRaw(upload: UploadDetail): Promise<Response> {
  await requireRaw(upload)
  const { head, bytes } = await readHead(rawStore().read(upload.storedSha256), carrierHeadBytes)
  const isText = upload.encoding !== null && findCarrier(head) === 'plain'
  return new Response(bodyOf(bytes), {
    headers: {
      // Never the type that the bytes claim: a stranger's file is shown as text and never run.
      'content-type': isText ? `text/plain; charset=${upload.encoding}` : 'application/octet-stream',
      'content-length': String(upload.sizeBytes),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(upload.name)}`,
      'content-security-policy': 'sandbox',
      'cache-control': 'private, no-store',
    },
  })
}

export const reimportUpload = projectOperation(
  {
    at: `POST ${p}/uploads/[upload]/reimport`,
    summary: 'Import the file of an upload again',
    needs: 'edit',
    audit: 'upload.reimport',
    answers: { 200: json('Its runs.', runLinksAnswer) },
    problems: { ...conflict, 422: refusedFile },
    options: { slots: uploadSlots },
  },
  async ({ project, params }) => {
    const runs = await reimport(project, params.upload)
    return { runs: runs.map((run) => ({ id: run.id, url: `/p/${project.slug}/runs/${run.id}` })) }
  },
)

export const restoreUpload = projectOperation(
  {
    at: `POST ${p}/uploads/[upload]/restore`,
    summary: 'Restore an upload from the trash',
    needs: 'edit',
    audit: 'upload.restore',
    answers: nothing,
  },
  ({ project, params }) => uploads.restoreUpload(project, params.upload),
)

/** For an upload sent with the header `Upload-Progress: ID`. */
export const getProgress = projectOperation(
  {
    at: `GET ${p}/uploads/progress/[id]`,
    summary: 'The progress of an upload',
    needs: 'read',
    answers: { 200: json('Bytes received and read.', uploadProgressAnswer) },
  },
  async ({ project, params }) => {
    const id = progressIdSchema.parse(params.id)
    const progress = await findProgress(project, id)
    if (progress === null) throw new NotFoundError('Upload in progress')
    return progress
  },
)
