import { z } from 'zod'
import { fanAnswer } from '@/lib/board/fan-answer'
import { comparisonDataSchema } from '@/lib/export/comparison-data'
import { matrixDataSchema } from '@/lib/export/matrix-data'
import { acceptSchema, signInSchema } from '../accounts/schemas'
import { conflict, file, inQuery, json, orJson, p, text, type Operations } from './operation'

const session = 'Starts a session and sets its cookie.'
const theme = inQuery('theme', 'For images; the default is light.', { type: 'string', enum: ['light', 'dark'] })

/** Sign-in, whose routes read forms and set cookies; and files, which are drawn by the code that draws pages. */
export const ownRoutes: Operations = {
  'POST /api/v1/session': {
    summary: 'Sign in with e-mail and password',
    needs: 'open',
    body: signInSchema,
    isForm: true,
    isText: true,
    answers: { 204: { description: session, headers: { 'set-cookie': 'The session.' } } },
    problems: { 401: ['unauthenticated'], 404: ['not-found'] },
  },
  'POST /api/v1/session/end': {
    summary: 'Sign out',
    needs: 'account',
    isForm: true,
    answers: { 204: { description: 'The session has ended.', headers: { 'set-cookie': 'Ends the session.' } } },
  },
  'GET /api/v1/session/oidc': {
    summary: 'Redirect to the OpenID Connect provider',
    needs: 'open',
    isText: true,
    parameters: [
      inQuery('next', 'The path to continue at.'),
      inQuery('invitation', 'The secret of an invitation to accept.'),
    ],
    answers: { 303: { description: 'To the provider.', headers: { location: 'Its address.' } } },
    problems: { 404: ['not-found'] },
  },
  'GET /api/v1/session/oidc/callback': {
    summary: 'Return address for the OpenID Connect provider',
    needs: 'open',
    isText: true,
    parameters: [inQuery('code', 'Of the provider.'), inQuery('state', 'From the preceding request.')],
    answers: {
      303: { description: `${session} Or back to the sign-in page.`, headers: { location: 'The next page.' } },
    },
    problems: { 404: ['not-found'] },
  },
  'POST /api/v1/invitations/accept': {
    summary: 'Accept an invitation',
    needs: 'open',
    body: acceptSchema,
    isForm: true,
    isText: true,
    answers: { 200: json(`${session} \`url\` is the page to continue at.`, z.object({ url: z.string() })) },
    problems: { 401: ['unauthenticated'], 404: ['not-found'], ...conflict },
  },
  'GET /api/v1/openapi.json': {
    summary: 'This document',
    needs: 'open',
    isText: true,
    answers: { 200: json('OpenAPI 3.1.', z.looseObject({ openapi: z.string() })) },
  },

  [`GET ${p}/compare/[refs]/[file]`]: {
    summary: 'A comparison as a file',
    needs: 'read',
    problems: { 503: ['busy'] },
    parameters: [
      inQuery('side', 'Of why.md: which side is compared with the first (1).'),
      inQuery('saved', 'A saved comparison whose name and notes to include. Other parameters are those of its page.'),
      theme,
    ],
    answers: {
      200: orJson(
        file(
          'comparison.md, why.md, table.md, data.csv, data.json, chart.svg, chart.png, preview.png or comparison.html.',
          ...['text/markdown', 'text/csv', 'image/svg+xml', 'image/png', 'text/html'],
        ),
        comparisonDataSchema,
      ),
    },
  },
  [`GET ${p}/matrix/[file]`]: {
    summary: 'A matrix as a file',
    needs: 'read',
    problems: { 503: ['busy'] },
    parameters: [theme],
    answers: {
      200: orJson(
        file(
          'matrix.md, table.md, data.csv, data.json or matrix.png. The parameters are those of its page.',
          ...['text/markdown', 'text/csv', 'image/png'],
        ),
        matrixDataSchema,
      ),
    },
  },
  [`GET ${p}/series/[series]/fan`]: {
    summary: 'What the board draws for a series; the format may change',
    needs: 'read',
    parameters: [inQuery('metric', 'The id of a metric to draw.', text)],
    answers: { 200: json('Percentiles of the newest run and of its level.', fanAnswer) },
  },
}
