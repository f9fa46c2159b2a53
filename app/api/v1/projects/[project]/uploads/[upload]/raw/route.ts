import { carrierHeadBytes, findCarrier } from '@/app/_server/archive/carrier-kind'
import { rawStore } from '@/app/_server/store/process-store'
import { readUploadLines } from '@/app/_server/uploads/read-upload-lines'
import { requireRaw } from '@/app/_server/uploads/require-raw'
import { bodyOf, respondText } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { readHead } from '@/importers/text/bytes'
import { InvalidInputError } from '@/lib/errors'
import { getProject } from '@/prisma/queries/projects'
import { getUpload } from '@/prisma/queries/uploads'

type Params = { project: string; upload: string }

export const GET = route<Params>(async (request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  const lines = new URL(request.url).searchParams.get('lines')
  if (lines !== null) {
    const [, first, last] = /^(\d{1,9})-(\d{1,9})$/.exec(lines) ?? []
    if (!first || !last)
      throw new InvalidInputError('lines must be first-last.', { field: 'lines', hint: 'For example lines=12-58.' })
    const found = await readUploadLines(viewer, project.id, params.upload, Number(first), Number(last))
    return respondText(found.map((line) => `${line.text}\n`).join(''))
  }
  const upload = await getUpload(viewer, project.id, params.upload)
  await requireRaw(upload)
  const { head, bytes } = await readHead(rawStore().read(upload.storedSha256), carrierHeadBytes)
  const isText = upload.encoding !== null && findCarrier(head) === 'plain'
  return new Response(bodyOf(bytes), {
    headers: {
      // Never what the bytes claim to be: a stranger's file is shown as text and run as nothing.
      'content-type': isText ? `text/plain; charset=${upload.encoding}` : 'application/octet-stream',
      'content-length': String(upload.sizeBytes),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(upload.name)}`,
      'content-security-policy': 'sandbox',
      'cache-control': 'private, no-store',
    },
  })
})
