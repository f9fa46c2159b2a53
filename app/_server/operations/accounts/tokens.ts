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
    summary: 'Create an API token; one that a token makes ends with it at the latest',
    needs: 'account',
    audit: 'token.create',
    body: tokenSchema,
    answers: { 201: json('The token; no later response has its secret, `token`.', madeTokenAnswer) },
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
    summary: 'Revoke an own token, and what it made',
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
    answers: { 200: list('Tokens of all its members that are for this project alone.', 'tokens', tokenAnswer) },
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
