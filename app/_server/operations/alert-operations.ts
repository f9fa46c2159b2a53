import { z } from 'zod'
import { alertMoveSchema, alertStatesSchema, assignSchema, commentSchema } from '../alerts/alert-schemas'
import { alertAnswer, alertRowAnswer } from '../answers/alert-answers'
import * as channels from './channels'
import { byAddress, conflict, inQuery, json, list, p, type Operations } from './operation'
import * as rules from './rules'

const alert = { 200: json('The alert.', alertAnswer) }

/** Alerts, the rules that raise them, and where they are sent. */
export const alertOperations: Operations = {
  [`GET ${p}/alerts`]: {
    summary: 'List alerts',
    needs: 'read',
    parameters: [inQuery('state', 'Of this state; repeatable.', z.toJSONSchema(alertStatesSchema))],
    answers: { 200: list('Alerts.', 'alerts', alertRowAnswer) },
  },
  [`GET ${p}/alerts/[alert]`]: {
    summary: 'Read an alert; of one that merged into an earlier one, that one',
    needs: 'read',
    answers: alert,
  },
  [`POST ${p}/alerts/[alert]/move`]: {
    summary: 'Acknowledge, resolve, reopen or dismiss an alert',
    needs: 'edit',
    body: alertMoveSchema,
    answers: alert,
    problems: conflict,
  },
  [`POST ${p}/alerts/[alert]/assign`]: {
    summary: 'Assign an alert to a member',
    needs: 'edit',
    body: assignSchema,
    answers: alert,
    problems: conflict,
  },
  [`POST ${p}/alerts/[alert]/comments`]: {
    summary: 'Comment on an alert',
    needs: 'edit',
    body: commentSchema,
    answers: alert,
    problems: conflict,
  },
  ...byAddress(rules),
  ...byAddress(channels),
}
