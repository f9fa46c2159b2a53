import { z } from 'zod'
import { loadWhy } from '@/app/p/[project]/compare/load-why'
import { readRowBox, rowBoxBounds, rowBoxQuery, type RowBox } from '@/lib/cube/row-box'
import { InvalidInputError } from '@/lib/errors'
import { partsDocument } from '@/lib/explain/why-document'
import { getRun } from '@/prisma/queries/runs/runs'
import { boxAnswer, whyAnswer } from '../answers/why-answer'
import { loadBox } from '../uploads/load-box'
import { json, p } from './operation'
import { projectOperation } from './project-operation'

const querySchema = z.object({
  side: z.coerce.number().int().min(1).max(100).default(1).describe('Which side is compared with the first.'),
})

export const explainDifference = projectOperation(
  {
    at: `GET ${p}/compare/[refs]/why`,
    summary: 'What a difference stands with',
    needs: 'read',
    query: querySchema,
    answers: { 200: json('From the rows of both sides. It says where the difference is, not its cause.', whyAnswer) },
  },
  async ({ project, params, query }): Promise<z.infer<typeof whyAnswer>> => {
    const { compared, answer } = await loadWhy(project, params.refs, query.side)
    const { sentence, notes } = answer.report
    const [base, head] = compared
    return { sentence, notes, base: [...base], head: [...head], answer: answer.document }
  },
)

const maxValues = 100

function readGivenBox(params: URLSearchParams): RowBox {
  const box = readRowBox(params)
  if (box === null) throw new InvalidInputError('The box has no bound: give `from`, `to`, `above` or `below`.')
  return box
}

export const explainBoxOfRun = projectOperation(
  {
    at: `GET ${p}/runs/[run]/why`,
    summary: 'What the requests in a box over a run’s heat map differ by',
    needs: 'read',
    query: rowBoxQuery,
    readQuery: readGivenBox,
    answers: {
      200: json('From the rows of the raw file, which is read again. It says where they are, not why.', boxAnswer),
    },
    problems: { 503: ['busy'] },
  },
  async ({ project, params, query: box }): Promise<z.infer<typeof boxAnswer>> => {
    const answer = await loadBox(project, await getRun(project, params.run), box)
    const { kind, sentence, notes, insideRows, outsideRows, looked, values, parts } = answer
    return {
      ...{ sentence, notes, kind, looked, inside_requests: insideRows, outside_requests: outsideRows },
      box: rowBoxBounds(box),
      values: values.slice(0, maxValues).map((one) => ({
        ...{ attribute: one.attribute, value: one.value, inside: one.inside, outside: one.outside, z: one.z, p: one.p },
        ...{ inside_requests: one.insideRows, outside_requests: one.outsideRows },
        ...{ difference: one.inside - one.outside, stands_out: one.standsOut, is_alias: one.isAlias },
      })),
      parts: partsDocument(parts),
    }
  },
)
