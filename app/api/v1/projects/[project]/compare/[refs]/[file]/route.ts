import { loadComparison } from '@/app/p/[project]/compare/load-comparison'
import { route } from '@/app/_server/respond'
import { comparisonFile } from '@/app/s/comparison-file'
import { prepareComparison } from '@/components/share/prepare-comparison'
import { NotFoundError } from '@/lib/errors'

type Params = { project: string; refs: string; file: string }

export const GET = route<Params>(async (request, params) => {
  const { sides } = await loadComparison(params.project, params.refs).catch((error: unknown) => {
    // A page's 404 is thrown for Next; here it is an answer of the API.
    throw isPageNotFound(error) ? new NotFoundError('Comparison') : error
  })
  const prepared = prepareComparison(sides, new URL(request.url).search)
  if (!prepared) throw new NotFoundError('Comparison')
  const name = prepared.names.join(' vs ')
  const found = comparisonFile(params.file, { prepared, name, notes: '', raw: [] })
  if (!found) throw new NotFoundError('File')
  return found
})

const isPageNotFound = (error: unknown): boolean =>
  error instanceof Error && 'digest' in error && String(error.digest).endsWith(';404')
