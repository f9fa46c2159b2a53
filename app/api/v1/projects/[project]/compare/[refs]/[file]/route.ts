import { loadComparison } from '@/app/p/[project]/compare/load-comparison'
import { exportSlots } from '@/app/_server/http/export-slots'
import { route } from '@/app/_server/http/route'
import { comparisonFile } from '@/app/s/comparison-file'
import { comparisonMarkdown } from '@/app/s/comparison-markdown'
import { markdownAnswer } from '@/app/s/markdown-answer'
import { themeOf } from '@/app/s/theme-of'
import { viewOf } from '@/components/compare/compare-view-state'
import { NotFoundError } from '@/lib/errors'
import type { ProjectSummary } from '@/lib/run/stored'
import type { Viewer } from '@/lib/viewer'
import { getComparison } from '@/prisma/queries/projects/comparisons'
import { getProject, grant } from '@/prisma/queries/projects/projects'

type Params = { project: string; refs: string; file: string }

export const GET = route<Params>(
  async (request, params, viewer) => {
    const project = await getProject(viewer, params.project)
    return makeFile(request, viewer, project, params)
  },
  { slots: exportSlots },
)

async function makeFile(
  request: Request,
  viewer: Viewer,
  project: ProjectSummary,
  params: Omit<Params, 'project'>,
): Promise<Response> {
  const { search, searchParams } = new URL(request.url)
  const prepared = await loadComparison(viewer, project.id, params.refs, viewOf(search))
  // Name, notes and take-aways of the saved comparison named in the address.
  const savedId = searchParams.get('saved')
  const words = savedId === null ? null : await getComparison(await grant(viewer, project, 'read'), savedId)
  const name = words?.name ?? prepared.names.join(' vs ')
  const { notes = '', takeaways = '' } = words ?? {}
  if (params.file === 'comparison.md')
    return markdownAnswer('comparison', await comparisonMarkdown(prepared, { name, notes, takeaways }))
  const said = [takeaways, notes].filter((text) => text !== '').join('\n\n')
  const found = comparisonFile(params.file, {
    prepared,
    name,
    projectName: project.name,
    notes: said,
    raw: [],
    theme: themeOf(request) ?? 'light',
  })
  if (!found) throw new NotFoundError('File')
  return found
}
