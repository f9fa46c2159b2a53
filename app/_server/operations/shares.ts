import * as shares from '@/prisma/queries/projects/shares'
import { madeShareAnswer, shareAnswer } from '../answers/project-answers'
import { makeShare, sharePatchSchema, shareSchema } from '../sharing/make-share'
import { conflict, json, list, p } from './operation'
import { projectOperation } from './project-operation'

export const listShares = projectOperation(
  {
    at: `GET ${p}/shares`,
    summary: 'Public links',
    needs: 'read',
    answers: { 200: list('Shares.', 'shares', shareAnswer) },
  },
  async ({ project }) => ({ shares: await shares.listShares(project) }),
)

export const createShare = projectOperation(
  {
    at: `POST ${p}/shares`,
    summary: 'Create a public link',
    needs: 'edit',
    audit: 'share.create',
    body: shareSchema,
    answers: { 201: json('The share. Only this response has its link, in `url`.', madeShareAnswer) },
  },
  async ({ project, body, request, note }) => {
    const made = await makeShare(project, body, request.headers)
    note({ share: made.id, name: made.name })
    return made
  },
)

export const updateShare = projectOperation(
  {
    at: `PATCH ${p}/shares/[share]`,
    summary: 'Allow or forbid other sites to show a share in a frame',
    needs: 'edit',
    audit: 'share.update',
    body: sharePatchSchema,
    answers: { 200: json('The share.', shareAnswer) },
    problems: conflict,
  },
  ({ project, params, body }) => shares.setShareEmbeddable(project, params.share, body.embeddable),
)

export const revokeShare = projectOperation(
  {
    at: `DELETE ${p}/shares/[share]`,
    summary: 'Revoke a share',
    needs: 'edit',
    audit: 'share.revoke',
    answers: { 200: json('The share, revoked.', shareAnswer) },
    problems: conflict,
  },
  ({ project, params }) => shares.revokeShare(project, params.share, new Date()),
)
