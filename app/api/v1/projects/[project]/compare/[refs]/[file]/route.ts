import { comparisonFile } from '@/app/s/comparison-file'
import { currentViewer } from '@/app/_server/current-viewer'
import { route } from '@/app/_server/respond'
import { readRefs } from '@/components/compare/compare-url'
import { prepareComparison } from '@/components/share/prepare-comparison'
import { NotFoundError } from '@/lib/errors'
import { getProject } from '@/prisma/queries/projects'
import { getRuns } from '@/prisma/queries/runs'

type Params = { project: string; refs: string; file: string }

export const GET = route<Params>(async (request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  const runs = await getRuns(viewer, project.id, readRefs(params.refs) ?? [])
  const prepared = prepareComparison(runs, new URL(request.url).search)
  if (!prepared) throw new NotFoundError('Comparison')
  const name = prepared.names.join(' vs ')
  const found = comparisonFile(params.file, { prepared, name, notes: '', raw: [] })
  if (!found) throw new NotFoundError('File')
  return found
})
