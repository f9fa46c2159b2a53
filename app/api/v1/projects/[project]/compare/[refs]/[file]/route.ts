import { loadComparison } from '@/app/p/[project]/compare/load-comparison'
import { loadWhy } from '@/app/p/[project]/compare/load-why'
import { exportSlots } from '@/app/_server/http/export-slots'
import { route } from '@/app/_server/http/route'
import { comparisonFile } from '@/app/s/comparison-file'
import { comparisonMarkdown } from '@/app/s/comparison-markdown'
import { markdownAnswer } from '@/app/s/markdown-answer'
import { themeOf } from '@/app/s/theme-of'
import { viewOf } from '@/components/compare/compare-view-state'
import { NotFoundError } from '@/lib/errors'
import { whyMarkdown } from '@/lib/explain/why-markdown'
import { getComparison } from '@/prisma/queries/projects/comparisons'
import { getProject, grant, type Granted } from '@/prisma/queries/projects/projects'

type Params = { project: string; refs: string; file: string }

export const GET = route<Params>(
  async (request, params, viewer) => {
    const granted = await grant(viewer, { slug: params.project }, 'read')
    const { name: projectName } = await getProject(viewer, granted.slug)
    return makeFile(request, granted, { ...params, projectName })
  },
  { slots: exportSlots },
)

async function makeFile(
  request: Request,
  granted: Granted<'read'>,
  params: Omit<Params, 'project'> & { readonly projectName: string },
): Promise<Response> {
  const { search, searchParams } = new URL(request.url)
  if (params.file === 'why.md') {
    const { answer } = await loadWhy(granted, params.refs, Number(searchParams.get('side') ?? 1))
    return markdownAnswer('why', whyMarkdown(answer.report))
  }
  const prepared = await loadComparison(granted, params.refs, viewOf(search))
  // Name, notes and take-aways of the saved comparison named in the address.
  const savedId = searchParams.get('saved')
  const words = savedId === null ? null : await getComparison(granted, savedId)
  const name = words?.name ?? prepared.names.join(' vs ')
  const { notes = '', takeaways = '' } = words ?? {}
  if (params.file === 'comparison.md')
    return markdownAnswer('comparison', await comparisonMarkdown(prepared, { name, notes, takeaways }))
  const said = [takeaways, notes].filter((text) => text !== '').join('\n\n')
  const found = comparisonFile(params.file, {
    prepared,
    name,
    projectName: params.projectName,
    notes: said,
    raw: [],
    theme: themeOf(request) ?? 'light',
  })
  if (!found) throw new NotFoundError('File')
  return found
}
