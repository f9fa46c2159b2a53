import * as badges from '@/prisma/queries/series/badges'
import { badgeAnswer, madeBadgeAnswer } from '../answers/project-answers'
import { badgeSchema, makeBadge } from '../sharing/make-badge'
import { conflict, json, list, nothing, p } from './operation'
import { projectOperation } from './project-operation'

export const listBadges = projectOperation(
  {
    at: `GET ${p}/series/[series]/badges`,
    summary: 'Badges of a series',
    needs: 'read',
    answers: { 200: list('Badges.', 'badges', badgeAnswer) },
  },
  async ({ project, params }) => ({ badges: await badges.listBadges(project, params.series) }),
)

export const createBadge = projectOperation(
  {
    at: `POST ${p}/series/[series]/badges`,
    summary: 'Create a badge',
    needs: 'edit',
    audit: 'badge.create',
    body: badgeSchema,
    answers: { 201: json('The badge. Only this response has its `url`.', madeBadgeAnswer) },
    problems: conflict,
  },
  async ({ project, params, body, request, note }) => {
    const made = await makeBadge(project, params.series, body, request.headers)
    note({ badge: made.id, name: made.label })
    return made
  },
)

export const revokeBadge = projectOperation(
  {
    at: `DELETE ${p}/badges/[badge]`,
    summary: 'Revoke a badge',
    needs: 'edit',
    audit: 'badge.revoke',
    answers: nothing,
  },
  ({ project, params }) => badges.revokeBadge(project, params.badge, new Date()),
)
