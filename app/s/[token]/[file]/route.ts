import { boardFile } from '@/app/s/board-file'
import { comparisonFile } from '@/app/s/comparison-file'
import { matrixFile } from '@/app/s/matrix-file'
import type { ImageTheme } from '@/app/s/preview-image'
import { themeOf } from '@/app/s/theme-of'
import { inShareSlot } from '@/app/_server/http/export-slots'
import { BusyError, problemOf, respondProblem } from '@/app/_server/http/respond'
import { openShareLink, sharedLines, type OpenedLink } from '@/app/_server/sharing/open-share-link'
import { prepareSharedBoard, prepareSharedMatrix, prepareSharedRuns } from '@/app/s/prepare-share'

type Params = { token: string; file: string }

/** A file of a share. The answer is the same, whatever is missing. */
export async function GET(request: Request, context: { readonly params: Promise<Params> }): Promise<Response> {
  const { token, file } = await context.params
  const found = await inShareSlot(async () => {
    const link = await openShareLink(token)
    return link && fileOf(link, file, themeOf(request) ?? 'light')
  }).catch((error: unknown) => {
    if (error instanceof BusyError) return respondProblem(problemOf(error), true)
    throw error
  })
  return found ?? new Response('Not found.\n', { status: 404, headers: { 'cache-control': 'private, no-store' } })
}

async function fileOf(link: OpenedLink, file: string, theme: ImageTheme): Promise<Response | null> {
  const { name, notes, projectName } = link.share
  if (link.kind === 'matrix') return matrixFile(file, prepareSharedMatrix(link), { projectName, theme })
  if (link.kind === 'board') return boardFile(file, prepareSharedBoard(link), { projectName, theme })
  const prepared = prepareSharedRuns(link)
  if (!prepared) return null
  // Pictures and tables contain no output: none is read for them.
  const lines = file === 'comparison.html' ? await sharedLines(link) : []
  return comparisonFile(file, {
    prepared,
    name,
    projectName,
    theme,
    notes,
    raw: lines.map((own) => own.map(({ text }) => text).join('\n')),
  })
}
