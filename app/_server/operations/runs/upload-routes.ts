import { z } from 'zod'
import { gateQuerySchema } from '../../alerts/respond-gate'
import type { UploadParameter } from '../../uploads/upload-request'
import { verdictAnswer } from '../../answers/gate-answer'
import { draftAnswer, savedUploadAnswer } from '../../answers/upload-answers'
import {
  conflict,
  file,
  inQuery,
  nothing,
  orJson,
  p,
  refusedFile,
  text,
  type Answer,
  type JsonSchema,
  type Operation,
  type Operations,
  type Parameter,
} from '../operation'

const flag: JsonSchema = { type: 'string', enum: ['1', 'true', '0', ''] }
const name: JsonSchema = { type: 'string', maxLength: 200 }
const uploadQuery: Readonly<
  Record<Exclude<UploadParameter, keyof z.infer<typeof gateQuerySchema>>, readonly [string, JsonSchema]>
> = {
  name: ["The file's name, instead of the one in the address.", { type: 'string', maxLength: 255 }],
  create: ['Creates the project if it does not exist.', flag],
  label: ['`key=value`, a label for all runs; repeatable.', { type: 'array', items: text }],
  draft: ['Creates a preview instead of runs.', flag],
  merge: [
    'Merges all runs, from several generators of one test, into one; 409 with the reason if that is not possible.',
    flag,
  ],
  keepSecrets: ['Stores tokens, cookies and passwords found in text, which are masked otherwise.', flag],
  again: ['Creates new runs even if the same bytes were uploaded before.', flag],
  scenario: ['The scenario of all runs.', name],
  variant: ['The variant of all runs.', name],
  environment: ['The environment of all runs.', name],
  startedAt: ['Start time of runs whose text has none.', { type: 'string', format: 'date-time' }],
  gate: ['The response is a verdict.', flag],
  mapping: ["The project's mapping for samples from an unknown tool.", name],
  control: [
    'Marks the series of the runs as controls: their code never changes, so what they show is the environment.',
    flag,
  ],
  experiment: ['The experiment, or attempt of a session, that the run belongs to. Its runs are candidates.', name],
  arm: ['Which arm of the experiment it is.', { type: 'string', enum: ['base', 'head', 'control', 'best', 'attempt'] }],
  round: ['Of which round, as the experiment gave it out.', { type: 'integer', minimum: 1 }],
  candidate: ['Judges the runs against their series without adding them to it.', flag],
}
const inHeader = (header: string, description: string, schema: JsonSchema = text): Parameter => ({
  name: header,
  in: 'header',
  description,
  schema,
})
const uploadParameters: readonly Parameter[] = [
  ...Object.entries(uploadQuery).map(([key, [words, schema]]) => inQuery(key, words, schema)),
  inHeader('Idempotency-Key', 'Repeating a request with the same key creates no second run.', {
    type: 'string',
    pattern: '^[!-~]{1,255}$',
  }),
  inHeader('Content-SHA256', 'Checked against what arrived: 64 hexadecimal digits.', {
    type: 'string',
    pattern: '^[0-9a-fA-F]{64}$',
  }),
  inHeader('Repr-Digest', 'Checked against what arrived: `sha-256=:BASE64:`.'),
  inHeader('Content-Digest', 'As Repr-Digest.'),
  inHeader('Content-Encoding', 'The body is compressed.', { type: 'string', enum: ['gzip', 'identity'] }),
  inHeader('Upload-Progress', 'Names the upload for `uploads/progress/{id}`.', { type: 'string', format: 'uuid' }),
]

const verdict = (description: string, schema: z.ZodType = verdictAnswer): Answer =>
  orJson(file(description, 'text/plain', 'text/markdown'), schema)
const asked = verdict('Not yet: poll `Location`.')
const worse: Answer = verdict('The verdict fails the build.')

const put: Operation = {
  summary: "Upload a load generator's output",
  needs: 'upload',
  query: gateQuerySchema,
  parameters: uploadParameters,
  body: 'bytes',
  isText: true,
  answers: {
    200: verdict(
      'The runs of an earlier upload of the same bytes. With `gate`: the verdict.',
      z.union([savedUploadAnswer, verdictAnswer]),
    ),
    201: orJson(
      file('New runs, or with `draft` the preview.', 'text/plain'),
      z.union([savedUploadAnswer, draftAnswer]),
    ),
    202: asked,
    422: worse,
  },
  problems: {
    400: ['incomplete-body'],
    408: ['too-slow'],
    409: ['conflict'],
    422: refusedFile,
    503: ['busy'],
  },
}

/** Uploads, their verdict and progress: their routes read bytes, and let upload tokens in. */
export const uploadRoutes: Operations = {
  [`PUT ${p}/uploads`]: put,
  [`POST ${p}/uploads`]: put,
  [`PUT ${p}/uploads/[upload]`]: { ...put, summary: `${put.summary}; the address ends in the name of the file` },
  [`GET ${p}/uploads/[upload]/gate`]: {
    summary: 'The verdict on an upload',
    needs: 'verdict',
    query: gateQuerySchema,
    isText: true,
    answers: { 200: verdict('Passed, or nothing could be judged.'), 202: asked, 422: worse },
  },
  [`DELETE ${p}/uploads/progress/[id]`]: {
    summary: 'Cancel an upload in progress',
    needs: 'upload',
    answers: nothing,
    problems: conflict,
  },
}
