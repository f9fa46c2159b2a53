import { comparisonFile } from '@/app/s/comparison-file'
import { matrixFile } from '@/app/s/matrix-file'
import { openShareLink, sharedLines, type OpenedLink } from '@/app/_server/sharing/open-share-link'
import { prepareComparison } from '@/components/shared/prepare-comparison'
import { splitSides } from '@/lib/judge/compare-url'
import { prepareSharedMatrix } from '@/components/shared/prepare-shared-matrix'
import { noiseAsFrozen } from '@/lib/judge/history-noise'

type Params = { token: string; file: string }

/** A file of a share. Whatever is missing, the answer is the same. */
export async function GET(_request: Request, context: { readonly params: Promise<Params> }): Promise<Response> {
  const { token, file } = await context.params
  const link = await openShareLink(token)
  const found = link && (await fileOf(link, file))
  return found ?? new Response('Not found.\n', { status: 404, headers: { 'cache-control': 'private, no-store' } })
}

async function fileOf(link: OpenedLink, file: string): Promise<Response | null> {
  const { name, notes, view, sideSizes, cellNotes, noise } = link.share
  if (link.kind === 'matrix') return matrixFile(file, prepareSharedMatrix(link.runs, view, cellNotes), name)
  const prepared = prepareComparison(splitSides(link.runs, sideSizes), view, noiseAsFrozen(noise))
  if (!prepared) return null
  const lines = await Promise.all(link.runs.map((run) => sharedLines(link, run)))
  return comparisonFile(file, {
    prepared,
    name,
    notes,
    raw: lines.map((own) => own.map(({ text }) => text).join('\n')),
  })
}
