import { z } from 'zod'
import { mapDraftSchema, mergeDraftSchema, saveDraftSchema } from '../schemas'
import { gateQuerySchema } from '../alerts/respond-gate'
import type { UploadParameter } from '../uploads/upload-request'
import { verdictAnswer } from '../answers/gate-answer'
import { mergePlanAnswer } from '../answers/run-answers'
import {
  draftAnswer,
  runLinksAnswer,
  savedDraftAnswer,
  savedUploadAnswer,
  uploadAnswer,
  uploadPageAnswer,
  uploadProgressAnswer,
} from '../answers/upload-answers'
import * as baselines from './baselines'
import * as merges from './merges'
import {
  byAddress,
  conflict,
  file,
  inQuery,
  json,
  nothing,
  orJson,
  p,
  text,
  type Answer,
  type JsonSchema,
  type Operation,
  type Operations,
  type Parameter,
} from './operation'
import * as runs from './runs'

const flag: JsonSchema = { type: 'string', enum: ['1', 'true', '0', ''] }
const name: JsonSchema = { type: 'string', maxLength: 200 }
const uploadQuery: Readonly<Record<Exclude<UploadParameter, 'wait' | 'format'>, readonly [string, JsonSchema]>> = {
  name: ["The file's name, instead of the one in the address.", { type: 'string', maxLength: 255 }],
  create: ['Creates the project if there is none.', flag],
  label: ['`key=value`, a label of all runs; repeatable.', { type: 'array', items: text }],
  draft: ['A preview instead of runs.', flag],
  merge: ['All runs become one, of several generators of one test; 409 with the reason where they cannot.', flag],
  keepSecrets: ['Tokens, cookies and passwords found in text are stored; masked otherwise.', flag],
  again: ['The same bytes make new runs.', flag],
  scenario: ['The scenario of all runs.', name],
  variant: ['The variant of all runs.', name],
  environment: ['The environment of all runs.', name],
  startedAt: ['When runs began whose text names no time.', { type: 'string', format: 'date-time' }],
  gate: ['The response is a verdict.', flag],
  mapping: ['The mapping of the project by which samples of no known tool are read.', name],
  candidate: ['Whether the runs are judged against their series without joining it.', flag],
}
const inHeader = (header: string, description: string, schema: JsonSchema = text): Parameter => ({
  name: header,
  in: 'header',
  description,
  schema,
})
const uploadParameters: readonly Parameter[] = [
  ...Object.entries(uploadQuery).map(([key, [words, schema]]) => inQuery(key, words, schema)),
  inHeader('Idempotency-Key', 'A request repeated with the same key makes no second run.', {
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
const asked = verdict('Not yet: ask again at `Location`.')
const worse: Answer = verdict('The verdict of a build is that it fails.')

const put: Operation = {
  summary: "Upload a load generator's output",
  needs: 'upload',
  query: gateQuerySchema,
  parameters: uploadParameters,
  body: 'bytes',
  isText: true,
  answers: {
    200: verdict(
      'These bytes were uploaded before: their runs. With `gate`: the verdict.',
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
    422: [
      ...(['key-reused', 'empty', 'unknown-format', 'ambiguous-format', 'truncated', 'malformed'] as const),
      ...(['inconsistent', 'too-large'] as const),
    ],
    503: ['busy'],
  },
}

/** Runs and uploads. */
export const runOperations: Operations = {
  ...byAddress(runs),
  ...byAddress(merges),
  ...byAddress(baselines),

  [`GET ${p}/uploads`]: {
    summary: 'List uploads',
    needs: 'read',
    parameters: [inQuery('before', 'The `nextBefore` of the page before: older uploads.')],
    answers: { 200: json('A page.', uploadPageAnswer) },
  },
  [`PUT ${p}/uploads`]: put,
  [`POST ${p}/uploads`]: put,
  [`PUT ${p}/uploads/[upload]`]: { ...put, summary: `${put.summary}; the address ends in the name of the file` },
  [`GET ${p}/uploads/[upload]`]: {
    summary: 'Read an upload',
    needs: 'read',
    answers: { 200: json('The upload.', uploadAnswer) },
  },
  [`DELETE ${p}/uploads/[upload]`]: {
    summary: 'Move an upload to the trash, or discard a draft',
    needs: 'edit',
    answers: nothing,
    problems: conflict,
  },
  [`GET ${p}/uploads/[upload]/raw`]: {
    summary: 'The bytes of an upload, or some lines of its text',
    needs: 'read',
    parameters: [
      inQuery('lines', 'The first and last line: `12-58`.', { type: 'string', pattern: '^\\d{1,9}-\\d{1,9}$' }),
    ],
    answers: { 200: file('The file, or the lines.', 'text/plain', 'application/octet-stream') },
    problems: conflict,
  },
  [`GET ${p}/uploads/[upload]/gate`]: {
    summary: 'The verdict on an upload',
    needs: 'verdict',
    query: gateQuerySchema,
    isText: true,
    answers: { 200: verdict('Passed, or nothing could be judged.'), 202: asked, 422: worse },
  },
  [`POST ${p}/uploads/[upload]/reimport`]: {
    summary: 'Read the file of an upload again',
    needs: 'edit',
    answers: { 200: json('Its runs.', runLinksAnswer) },
    problems: { ...conflict, 422: put.problems?.[422] ?? [] },
  },
  [`POST ${p}/uploads/[upload]/merge`]: {
    summary: 'What runs of a draft would be as one; changes nothing',
    needs: 'read',
    body: mergeDraftSchema,
    answers: { 200: json('Their figures together, or why they cannot be one.', mergePlanAnswer) },
    problems: conflict,
  },
  [`POST ${p}/uploads/[upload]/map`]: {
    summary: 'Read a draft as samples, by a mapping',
    needs: 'edit',
    body: mapDraftSchema,
    answers: { 200: json('The draft with the runs found in it.', z.object({ upload: uploadAnswer })) },
    problems: { ...conflict, 422: put.problems?.[422] ?? [] },
  },
  [`POST ${p}/uploads/[upload]/restore`]: {
    summary: 'Restore an upload from the trash',
    needs: 'edit',
    answers: nothing,
    problems: conflict,
  },
  [`POST ${p}/uploads/[upload]/save`]: {
    summary: 'Save a draft',
    needs: 'edit',
    body: saveDraftSchema,
    answers: { 201: json('Its runs.', savedDraftAnswer) },
    problems: conflict,
  },
  [`GET ${p}/uploads/progress/[id]`]: {
    summary: 'How far an upload is',
    needs: 'read',
    answers: { 200: json('Bytes received and read.', uploadProgressAnswer) },
  },
  [`DELETE ${p}/uploads/progress/[id]`]: {
    summary: 'Cancel an upload in progress',
    needs: 'upload',
    answers: nothing,
    problems: conflict,
  },
}
