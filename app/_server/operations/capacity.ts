import { z } from 'zod'
import { loadCapacity } from '@/app/p/[project]/matrix/load-capacity'
import { capacityDocument } from '@/lib/capacity/capacity-document'
import { objectiveWords } from '@/lib/capacity/objective'
import { capacityAnswer } from '../answers/capacity-answer'
import { inQuery, json, p } from './operation'
import { projectOperation } from './project-operation'

const querySchema = z.object({
  target: z.coerce.number().positive().max(1e9).nullable().default(null),
})

/** The whole query, whose other parameters are those of the page of a matrix. */
function readQuery(params: URLSearchParams) {
  const { target } = querySchema.parse({ target: params.get('target') ?? undefined })
  const keys = [...new Set(params.keys())]
  return { target, given: Object.fromEntries(keys.map((key) => [key, params.getAll(key)])) }
}

export const getCapacity = projectOperation(
  {
    at: `GET ${p}/capacity`,
    summary: 'How much a system holds within objectives',
    needs: 'read',
    readQuery,
    parameters: [
      inQuery('slo', '`p99<100ms` or `success>99.9%`; may repeat. The default are the limits of the project.'),
      inQuery('target', 'Requests per second: for how many instances that is.', { type: 'number' }),
      inQuery('upload', 'The upload whose runs are meant. Other parameters are those of the page of a sweep.'),
    ],
    answers: { 200: json('By group of runs that differ in nothing but the load.', capacityAnswer) },
  },
  async ({ project, query: { target, given } }): Promise<z.infer<typeof capacityAnswer>> => {
    const { runs, objectives, answers, reports } = await loadCapacity(project, given, {
      perSecond: target,
      price: null,
    })
    const { groups, ...held } = capacityDocument(runs, objectives, answers)
    return {
      ...held,
      objectives: objectives.map(objectiveWords),
      groups: groups.map((group, at) => ({
        ...{ sentence: reports[at]?.sentence ?? '', notes: [...(reports[at]?.notes ?? [])] },
        ...group,
      })),
    }
  },
)
