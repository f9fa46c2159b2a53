import { z } from 'zod'
import { alertStates } from '@/lib/rules/stored-alerts'
import * as alerts from '@/prisma/queries/alerts/alerts'
import { alertMoveSchema, alertStatesSchema, assignSchema, commentSchema } from '../alerts/alert-schemas'
import { alertAnswer, alertRowAnswer } from '../answers/alert-answers'
import { requireAccounts } from '../http/route'
import { conflict, inQuery, json, list, p } from './operation'
import { projectOperation } from './project-operation'

const alert = { 200: json('The alert.', alertAnswer) }

export const listAlerts = projectOperation(
  {
    at: `GET ${p}/alerts`,
    summary: 'List alerts',
    needs: 'read',
    readQuery: (params) => alertStatesSchema.parse(params.getAll('state')),
    parameters: [inQuery('state', 'Alerts in this state; repeatable.', z.toJSONSchema(alertStatesSchema))],
    answers: { 200: list('Alerts.', 'alerts', alertRowAnswer) },
  },
  async ({ project, query: states }) => ({
    alerts: await alerts.listAlerts(project, states.length > 0 ? states : alertStates),
  }),
)

export const getAlert = projectOperation(
  {
    at: `GET ${p}/alerts/[alert]`,
    summary: 'Read an alert; a merged one returns the alert that it was merged into',
    needs: 'read',
    answers: alert,
  },
  ({ project, params }) => alerts.getAlert(project, params.alert),
)

export const moveAlert = projectOperation(
  {
    at: `POST ${p}/alerts/[alert]/move`,
    summary: 'Acknowledge, resolve, reopen or dismiss an alert',
    needs: 'edit',
    audit: 'alert.move',
    body: alertMoveSchema,
    answers: alert,
    problems: conflict,
  },
  ({ project, params, body }) => alerts.moveAlert(project, { alertId: params.alert, ...body }, new Date()),
)

export const assignAlert = projectOperation(
  {
    at: `POST ${p}/alerts/[alert]/assign`,
    summary: 'Assign an alert to a member',
    needs: 'edit',
    audit: 'alert.assign',
    body: assignSchema,
    answers: alert,
    problems: conflict,
  },
  async ({ project, params, body: { account: accountId }, note }) => {
    requireAccounts()
    const assigned = await alerts.assignAlert(project, { alertId: params.alert, accountId }, new Date())
    if (accountId !== null) note({ account: accountId })
    return assigned
  },
)

export const commentAlert = projectOperation(
  {
    at: `POST ${p}/alerts/[alert]/comments`,
    summary: 'Comment on an alert',
    needs: 'edit',
    audit: 'alert.comment',
    body: commentSchema,
    answers: alert,
  },
  ({ project, params, body }) => alerts.commentAlert(project, { alertId: params.alert, text: body.text }, new Date()),
)
