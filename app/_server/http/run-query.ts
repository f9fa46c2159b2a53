import { z } from 'zod'
import { InvalidInputError } from '@/lib/errors'
import { toolSchema } from '@/lib/run/imported-run-schema'
import { judgedStates } from '@/lib/run/judged-states'
import { figureSortKeys } from '@/lib/run/metrics'
import { daySchema, timestampSchema } from '@/lib/run/timestamp'
import { readPair } from '@/lib/text'
import { runSortKeys, type RunFilter, type RunPageRequest } from '@/lib/history/run-list'

const text = z.string().trim().min(1).max(200).optional()

const bound = z.coerce.number().min(0).max(1e12).optional()
const dayMs = 86_400_000

/** The query of a list of runs, without `label`, which repeats. */
export const runQuerySchema = z.object({
  tool: toolSchema.optional(),
  state: z.enum(judgedStates).optional(),
  scenario: text,
  variant: text,
  environment: text,
  text,
  upload: text,
  from: z.union([daySchema, timestampSchema]).optional(),
  to: daySchema.optional(),
  figure: z.enum(figureSortKeys).optional(),
  min: bound,
  max: bound,
  sort: z.enum(runSortKeys).default('time'),
  direction: z.enum(['asc', 'desc']).default('desc'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(1_000).optional(),
  group: z.enum(['repeats', 'level', 'commit', 'upload', 'none']).optional(),
})

/**
 * Filter and page of `GET …/runs?tool=hey&label=commit=abc&sort=p99&direction=asc&from=2026-11-01&to=2026-11-21`; days are
 * UTC and both counted; `from` may also be a time. `figure=p99&min=10&max=50` needs another condition, days, or that sorting.
 * `group=repeats`: of runs that repeat each other the newest, by time only; other groups are of pages alone. Throws ZodError, InvalidInputError.
 */
export function readRunQuery(params: URLSearchParams): { filter: RunFilter; page: RunPageRequest } {
  const single = Object.fromEntries([...params].filter(([key, value]) => key !== 'label' && value !== ''))
  const { sort, direction, limit, cursor, upload, from, to, figure, min, max, group, ...names } =
    runQuerySchema.parse(single)
  const labels = params.getAll('label').map((label) => {
    const pair = readPair(label)
    if (pair === null) throw new InvalidInputError(`label=${label} is not key=value.`, { field: 'label' })
    return pair
  })
  const narrowed = [...Object.values(names), upload, from, to, ...labels].some((value) => value !== undefined)
  const hasRange = figure !== undefined && (min !== undefined || max !== undefined)
  if (hasRange && !narrowed && sort !== figure) {
    const hint = 'Add a day, a name, a label or a word, or sort by that figure.'
    throw new InvalidInputError('A range of a figure needs another filter.', { field: 'figure', hint })
  }
  if (group === 'repeats' && sort !== 'time') {
    const hint = 'Sort by time, or list every run.'
    throw new InvalidInputError('Repeats of one experiment are listed by time.', { field: 'group', hint })
  }
  const filter: RunFilter = {
    ...names,
    uploadId: upload,
    from: from && new Date(from).toISOString(),
    to: to && new Date(Date.parse(to) + dayMs).toISOString(),
    ...(hasRange ? { range: { of: figure, min, max } } : {}),
    ...(group === 'repeats' ? { newestOfRepeats: true } : {}),
    ...(labels.length > 0 ? { labels: Object.fromEntries(labels) } : {}),
  }
  return {
    filter,
    page: { sort, direction, limit, cursor },
  }
}
