import { respondJson } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { searchSchema } from '@/app/_server/schemas'
import { getProject, grant } from '@/prisma/queries/projects'
import { listComparisons } from '@/prisma/queries/comparisons'
import { listRuns } from '@/prisma/queries/runs'

type Params = { project: string }

/** The newest runs and saved comparisons of a project that a text names. */
export const GET = route<Params>(async (request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  const { text, limit } = searchSchema.parse(Object.fromEntries(new URL(request.url).searchParams))
  const { rows } = await listRuns(viewer, project.id, { text }, { sort: 'time', direction: 'desc', limit })
  const saved = await listComparisons(await grant(viewer, project, 'read'), { text, limit })
  return respondJson({
    runs: rows.map(({ id, scenario, variant, environment, tool, orderedAt }) => {
      return { id, scenario, variant, environment, tool, orderedAt }
    }),
    comparisons: saved.map(({ id, name, kind }) => ({ id, name, kind })),
  })
})
