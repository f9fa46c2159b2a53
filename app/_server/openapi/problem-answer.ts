import { z } from 'zod'
import { schemaOf } from '@/lib/schema-of'
import { problemCodes } from '../http/problem-codes'
import type { Problem } from '../http/respond'

const count = z.number().nullable().exactOptional()

/** The body of every refusal. */
export const problemAnswer = schemaOf<Problem & { readonly requestId?: string }>()(
  z
    .object({
      type: z.literal('about:blank'),
      title: z.string(),
      status: z.literal([400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 503, 507]),
      code: z.enum([...new Set(Object.values(problemCodes).flat())]),
      detail: z.string(),
      hint: z.string().nullable(),
      field: z.string().nullable().exactOptional().describe('The field or parameter at fault.'),
      line: count.describe('The line of the upload at fault, from 1.'),
      offset: count.describe('The byte of the upload at fault, from 0.'),
      url: z.string().nullable().exactOptional().describe('The page that shows a refused upload.'),
      retryAfterSeconds: z.number().exactOptional(),
      requestId: z.string().exactOptional().describe("Same as the header X-Request-Id; also in the server's log."),
    })
    .meta({ id: 'Problem', description: 'An RFC 9457 problem, with a stable `code` and what to do next.' }),
)
