import { z } from 'zod'
import { alertMoveSchema, alertStatesSchema, assignSchema, commentSchema } from '../alerts/alert-schemas'
import { channelEditsSchema, channelSchema } from '../alerts/make-channel'
import {
  alertAnswer,
  alertRowAnswer,
  channelAnswer,
  deliveryAnswer,
  deliveryOutcomeAnswer,
  madeChannelAnswer,
} from '../answers/alert-answers'
import { byAddress, conflict, inQuery, json, list, nothing, p, type Operations } from './operation'
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
  [`GET ${p}/channels`]: {
    summary: 'List notification channels',
    needs: 'read',
    answers: { 200: list('Channels, without their secrets.', 'channels', channelAnswer) },
  },
  [`POST ${p}/channels`]: {
    summary: 'Create a notification channel',
    needs: 'administer',
    body: channelSchema,
    answers: { 201: json('The channel; no later response has its `secret`.', madeChannelAnswer) },
    problems: conflict,
  },
  [`PATCH ${p}/channels/[channel]`]: {
    summary: 'Rename, enable or disable a channel',
    needs: 'administer',
    body: channelEditsSchema,
    answers: { 200: json('The channel.', channelAnswer) },
    problems: conflict,
  },
  [`DELETE ${p}/channels/[channel]`]: { summary: 'Delete a channel', needs: 'administer', answers: nothing },
  [`POST ${p}/channels/[channel]/test`]: {
    summary: 'Send a test message',
    needs: 'administer',
    answers: { 200: json('What became of it.', deliveryOutcomeAnswer) },
    problems: conflict,
  },
  [`GET ${p}/deliveries`]: {
    summary: 'Delivery log',
    needs: 'read',
    answers: { 200: list('The newest deliveries first.', 'deliveries', deliveryAnswer) },
  },
  [`POST ${p}/deliveries/[delivery]/replay`]: {
    summary: 'Send a message again',
    needs: 'administer',
    answers: { 200: json('The delivery.', deliveryAnswer) },
    problems: conflict,
  },
}
