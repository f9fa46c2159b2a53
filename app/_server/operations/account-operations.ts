import { z } from 'zod'
import { acceptSchema, signInSchema } from '../accounts/schemas'
import * as account from './account'
import * as accounts from './accounts'
import * as audit from './audit'
import * as invitations from './invitations'
import * as members from './members'
import { byAddress, conflict, inQuery, json, type Operations } from './operation'
import * as tokens from './tokens'

const session = 'A session begins: its cookie is set.'
/** Sessions, accounts, invitations, members, tokens and the audit log. */
export const accountOperations: Operations = {
  'POST /api/v1/session': {
    summary: 'Sign in by e-mail and password',
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
    answers: { 204: { description: 'The session is over.', headers: { 'set-cookie': 'Ends the session.' } } },
  },
  'GET /api/v1/session/oidc': {
    summary: 'Lead to the OpenID Connect provider',
    needs: 'open',
    isText: true,
    parameters: [
      inQuery('next', 'The path to continue at.'),
      inQuery('invitation', 'The secret of an invitation that is accepted with it.'),
    ],
    answers: { 303: { description: 'To the provider.', headers: { location: 'Its address.' } } },
    problems: { 404: ['not-found'] },
  },
  'GET /api/v1/session/oidc/callback': {
    summary: 'Where the OpenID Connect provider leads back to',
    needs: 'open',
    isText: true,
    parameters: [inQuery('code', 'Of the provider.'), inQuery('state', 'Of the request before.')],
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

  ...byAddress({ ...account, ...tokens, ...accounts, ...audit, ...invitations, ...members }),

  'GET /api/v1/openapi.json': {
    summary: 'This document',
    needs: 'open',
    isText: true,
    answers: { 200: json('OpenAPI 3.1.', z.looseObject({ openapi: z.string() })) },
  },
}
