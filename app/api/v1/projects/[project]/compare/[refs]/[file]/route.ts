import { currentViewer } from '@/app/_server/http/current-viewer'
import { loadComparison } from '@/app/p/[project]/compare/load-comparison'
import { route } from '@/app/_server/http/respond'
import { comparisonFile } from '@/app/s/comparison-file'
import { comparisonMarkdown } from '@/app/s/comparison-markdown'
import { markdownAnswer } from '@/app/s/markdown-answer'
import { prepareComparison } from '@/components/shared/prepare-comparison'
import { NotFoundError } from '@/lib/errors'
import { noiseOfHistories } from '@/lib/judge/history-noise'
import { getComparison } from '@/prisma/queries/comparisons'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string; refs: string; file: string }

export const GET = route<Params>(async (request, params) => {
  const { sides, histories } = await loadComparison(params.project, params.refs).catch((error: unknown) => {
    // A page's 404 is thrown for Next; here it is an answer of the API.
    throw isPageNotFound(error) ? new NotFoundError('Comparison') : error
  })
  const { search, searchParams } = new URL(request.url)
  const prepared = prepareComparison(sides, search, noiseOfHistories(histories))
  if (!prepared) throw new NotFoundError('Comparison')
  const words = await savedWords(params.project, searchParams.get('saved'))
  const name = words?.name ?? prepared.names.join(' vs ')
  const { notes = '', takeaways = '' } = words ?? {}
  if (params.file === 'comparison.md')
    return markdownAnswer('comparison', await comparisonMarkdown(prepared, { name, notes, takeaways }))
  const said = [takeaways, notes].filter((text) => text !== '').join('\n\n')
  const found = comparisonFile(params.file, { prepared, name, notes: said, raw: [] })
  if (!found) throw new NotFoundError('File')
  return found
})

/** Name, notes and take-aways of the saved comparison that the address names; null when it names none. */
async function savedWords(slug: string, id: string | null) {
  if (id === null) return null
  const viewer = await currentViewer()
  const project = await getProject(viewer, slug)
  return getComparison(viewer, project.id, id)
}

const isPageNotFound = (error: unknown): boolean =>
  error instanceof Error && 'digest' in error && String(error.digest).endsWith(';404')
