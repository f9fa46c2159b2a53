import { z } from 'zod'
import {
  acceptSchema,
  accountEditsSchema,
  accountNameSchema,
  invitationSchema,
  memberSchema,
  passwordSchema,
  projectInvitationSchema,
  signInSchema,
  tokenSchema,
} from '../accounts/schemas'
import {
  accountAnswer,
  auditAnswer,
  invitationAnswer,
  madeInvitationAnswer,
  madeTokenAnswer,
  memberAnswer,
  sessionAnswer,
  tokenAnswer,
} from '../answers/account-answers'
import { conflict, inQuery, json, list, nothing, p, type Operations } from './operation'

const session = 'A session begins: its cookie is set.'
const invited = {
  201: json('The invitation, with its link in `url`, which no later response has.', madeInvitationAnswer),
}
const audit = {
  parameters: [inQuery('before', 'The `next` of the page before: older entries.')],
  answers: { 200: json('The newest entries first.', auditAnswer) },
} as const

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

  'GET /api/v1/account': {
    summary: 'Own account',
    needs: 'account',
    answers: { 200: json('The account.', accountAnswer) },
  },
  'PATCH /api/v1/account': {
    summary: 'Rename the own account',
    needs: 'account',
    body: accountNameSchema,
    answers: { 200: json('The account.', accountAnswer) },
  },
  'PUT /api/v1/account/password': {
    summary:
      'Change the own password; other sessions end unless `signOutElsewhere` is false, and the tokens of `revokeTokens`',
    needs: 'account',
    body: passwordSchema,
    answers: nothing,
  },
  'GET /api/v1/account/sessions': {
    summary: 'Own sessions',
    needs: 'account',
    answers: { 200: list('Sessions that have not ended.', 'sessions', sessionAnswer) },
  },
  'DELETE /api/v1/account/sessions/[session]': { summary: 'End a session', needs: 'account', answers: nothing },
  'GET /api/v1/account/tokens': {
    summary: 'Own API tokens',
    needs: 'account',
    answers: { 200: list('Tokens, without their secrets.', 'tokens', tokenAnswer) },
  },
  'POST /api/v1/account/tokens': {
    summary: 'Create an API token; one that a token makes ends with it at the latest',
    needs: 'account',
    body: tokenSchema,
    answers: { 201: json('The token; no later response has its secret, `token`.', madeTokenAnswer) },
    problems: conflict,
  },
  'DELETE /api/v1/account/tokens/[token]': {
    summary: 'Revoke an own token, and what it made',
    needs: 'account',
    answers: nothing,
  },

  'GET /api/v1/accounts': {
    summary: 'All accounts',
    needs: 'owner',
    answers: { 200: list('Accounts of the installation.', 'accounts', accountAnswer) },
  },
  'PATCH /api/v1/accounts/[account]': {
    summary: 'Enable or disable an account, or change whether it is an owner',
    needs: 'owner',
    body: accountEditsSchema,
    answers: { 200: json('The account.', accountAnswer) },
    problems: conflict,
  },
  'DELETE /api/v1/accounts/[account]/oidc': {
    summary: 'Unlink an account from its identity at the OpenID Connect provider; its sessions end',
    needs: 'owner',
    answers: nothing,
  },
  'GET /api/v1/audit': { summary: 'Audit log of the installation', needs: 'owner', ...audit },
  'GET /api/v1/invitations': {
    summary: 'Open invitations to the installation',
    needs: 'owner',
    answers: { 200: list('Invitations.', 'invitations', invitationAnswer) },
  },
  'POST /api/v1/invitations': {
    summary: 'Invite to the installation',
    needs: 'owner',
    body: invitationSchema,
    answers: invited,
    problems: conflict,
  },
  'DELETE /api/v1/invitations/[invitation]': { summary: 'Revoke an invitation', needs: 'owner', answers: nothing },

  [`GET ${p}/audit`]: { summary: 'Audit log of a project', needs: 'administer', ...audit },
  [`GET ${p}/members`]: {
    summary: 'Members of a project',
    needs: 'read',
    answers: { 200: list('Members with their roles.', 'members', memberAnswer) },
  },
  [`PATCH ${p}/members/[account]`]: {
    summary: 'Change the role of a member',
    needs: 'administer',
    body: memberSchema,
    answers: nothing,
    problems: conflict,
  },
  [`DELETE ${p}/members/[account]`]: {
    summary: 'Remove a member',
    needs: 'administer',
    answers: nothing,
    problems: conflict,
  },
  [`GET ${p}/invitations`]: {
    summary: 'Open invitations to a project',
    needs: 'administer',
    answers: { 200: list('Invitations.', 'invitations', invitationAnswer) },
  },
  [`POST ${p}/invitations`]: {
    summary: 'Invite to a project',
    needs: 'administer',
    body: projectInvitationSchema,
    answers: invited,
    problems: conflict,
  },
  [`DELETE ${p}/invitations/[invitation]`]: {
    summary: 'Revoke an invitation to a project',
    needs: 'administer',
    answers: nothing,
  },
  [`GET ${p}/tokens`]: {
    summary: 'Tokens of a project',
    needs: 'administer',
    answers: { 200: list('Tokens of all its members that are for this project alone.', 'tokens', tokenAnswer) },
  },
  [`DELETE ${p}/tokens/[token]`]: { summary: 'Revoke a token of a project', needs: 'administer', answers: nothing },

  'GET /api/v1/openapi.json': {
    summary: 'This document',
    needs: 'open',
    isText: true,
    answers: { 200: json('OpenAPI 3.1.', z.looseObject({ openapi: z.string() })) },
  },
}
