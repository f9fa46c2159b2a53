import { z } from 'zod'
import { loadWhy } from '@/app/p/[project]/compare/load-why'
import { whyAnswer } from '../answers/why-answer'
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
