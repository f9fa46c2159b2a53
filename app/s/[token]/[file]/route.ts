import { comparisonFile } from '@/app/s/comparison-file'
import { openShareLink, sharedLines } from '@/app/_server/open-share-link'
import { prepareComparison, splitSides } from '@/components/share/prepare-comparison'

type Params = { token: string; file: string }

/** A file of a share. Whatever is missing, the answer is the same. */
export async function GET(_request: Request, context: { readonly params: Promise<Params> }): Promise<Response> {
  const { token, file } = await context.params
  const link = await openShareLink(token)
  const prepared = link && prepareComparison(splitSides(link.runs, link.share.sideSizes), link.share.view)
  const nothing = () => new Response('Not found.\n', { status: 404, headers: { 'cache-control': 'private, no-store' } })
  if (!prepared) return nothing()
  const lines = await Promise.all(link.runs.map((run) => sharedLines(link, run)))
  const raw = lines.map((own) => own.map((line) => line.text).join('\n'))
  return comparisonFile(file, { prepared, name: link.share.name, notes: link.share.notes, raw }) ?? nothing()
}
