import * as tokens from '@/prisma/queries/accounts/tokens'
import { makeToken } from '../../accounts/make-token'
import { tokenSchema } from '../../accounts/schemas'
import { madeTokenAnswer, tokenAnswer } from '../../answers/account-answers'
import { conflict, json, list, nothing, p } from '../operation'
import { operation, projectOperation } from '../project-operation'

export const listOwnTokens = operation(
  {
    at: 'GET /api/v1/account/tokens',
    summary: 'Own API tokens',
    needs: 'account',
    answers: { 200: list('Tokens, without their secrets.', 'tokens', tokenAnswer) },
  },
  async ({ viewer }) => ({ tokens: await tokens.listOwnTokens(viewer) }),
)

export const createToken = operation(
  {
    at: 'POST /api/v1/account/tokens',
    summary: 'Create an API token; one created with a token expires no later than that token',
    needs: 'account',
    audit: 'token.create',
    body: tokenSchema,
    answers: { 201: json('The token. Only this response has its secret, in `token`.', madeTokenAnswer) },
    problems: conflict,
  },
  async ({ viewer, body, note }) => {
    const made = await makeToken(viewer, body, new Date())
    const project = made.project === null ? {} : { project: made.project.slug }
    note({ token: made.id, name: `${made.name} (${made.scope})`, ...project })
    return made
  },
)

export const revokeOwnToken = operation(
  {
    at: 'DELETE /api/v1/account/tokens/[token]',
    summary: 'Revoke one of your tokens, and what it created',
    needs: 'account',
    audit: 'token.revoke',
    answers: nothing,
  },
  ({ viewer, params }) => tokens.revokeOwnToken(viewer, params.token, new Date()),
)

export const listProjectTokens = projectOperation(
  {
    at: `GET ${p}/tokens`,
    summary: 'Tokens of a project',
    needs: 'administer',
    answers: { 200: list("Members' tokens that are for this project only.", 'tokens', tokenAnswer) },
  },
  async ({ project }) => ({ tokens: await tokens.listProjectTokens(project) }),
)

export const revokeProjectToken = projectOperation(
  {
    at: `DELETE ${p}/tokens/[token]`,
    summary: 'Revoke a token of a project',
    needs: 'administer',
    audit: 'token.revoke',
    answers: nothing,
  },
  ({ project, params }) => tokens.revokeProjectToken(project, params.token, new Date()),
)
