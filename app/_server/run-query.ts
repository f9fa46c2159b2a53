import { z } from 'zod'
import { InvalidInputError } from '@/lib/errors'
import { runSortKeys, type RunFilter, type RunPageRequest } from '@/lib/stored'

const tools = ['hey', 'vegeta', 'wrk', 'wrk2', 'lambda', 'hdr'] as const
const text = z.string().trim().min(1).max(200).optional()

const querySchema = z.object({
  tool: z.enum(tools).optional(),
  scenario: text,
  variant: text,
  environment: text,
  text,
  upload: text,
  sort: z.enum(runSortKeys).default('time'),
  direction: z.enum(['asc', 'desc']).default('desc'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(1_000).optional(),
})

/** Filter and page of `GET …/runs?tool=hey&label=commit=abc&sort=p99&direction=asc`. Throws ZodError, InvalidInputError. */
export function readRunQuery(params: URLSearchParams): { filter: RunFilter; page: RunPageRequest } {
  const single = Object.fromEntries([...params].filter(([key, value]) => key !== 'label' && value !== ''))
  const { sort, direction, limit, cursor, upload, ...filter } = querySchema.parse(single)
  const labels = params.getAll('label').map((label): [string, string] => {
    const at = label.indexOf('=')
    if (at < 1) throw new InvalidInputError(`label=${label} is not key=value.`, { field: 'label' })
    return [label.slice(0, at), label.slice(at + 1)]
  })
  return {
    filter: { ...filter, uploadId: upload, ...(labels.length > 0 ? { labels: Object.fromEntries(labels) } : {}) },
    page: { sort, direction, limit, cursor },
  }
}
