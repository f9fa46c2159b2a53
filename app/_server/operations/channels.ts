import * as channels from '@/prisma/queries/alerts/channels'
import * as deliveries from '@/prisma/queries/alerts/deliveries'
import { deliverTest } from '../alerts/deliver'
import { channelEditsSchema, channelSchema, makeChannel } from '../alerts/make-channel'
import { channelAnswer, deliveryAnswer, deliveryOutcomeAnswer, madeChannelAnswer } from '../answers/alert-answers'
import { conflict, json, list, nothing, p } from './operation'
import { projectOperation } from './project-operation'

export const listChannels = projectOperation(
  {
    at: `GET ${p}/channels`,
    summary: 'List notification channels',
    needs: 'read',
    answers: { 200: list('Channels, without their secrets.', 'channels', channelAnswer) },
  },
  async ({ project }) => ({ channels: await channels.listChannels(project) }),
)

export const createChannel = projectOperation(
  {
    at: `POST ${p}/channels`,
    summary: 'Create a notification channel',
    needs: 'administer',
    audit: 'channel.create',
    body: channelSchema,
    answers: { 201: json('The channel. Only this response has its `secret`.', madeChannelAnswer) },
    problems: conflict,
  },
  async ({ project, body, note }) => {
    const made = await makeChannel(project, body)
    note({ channel: made.channel.id, name: made.channel.name })
    return made
  },
)

export const updateChannel = projectOperation(
  {
    at: `PATCH ${p}/channels/[channel]`,
    summary: 'Rename, enable or disable a channel',
    needs: 'administer',
    audit: 'channel.update',
    body: channelEditsSchema,
    answers: { 200: json('The channel.', channelAnswer) },
  },
  ({ project, params, body }) => channels.updateChannel(project, { channelId: params.channel, ...body }, new Date()),
)

export const deleteChannel = projectOperation(
  {
    at: `DELETE ${p}/channels/[channel]`,
    summary: 'Delete a channel',
    needs: 'administer',
    audit: 'channel.delete',
    answers: nothing,
  },
  ({ project, params }) => channels.deleteChannel(project, params.channel),
)

export const testChannel = projectOperation(
  {
    at: `POST ${p}/channels/[channel]/test`,
    summary: 'Send a test message',
    needs: 'administer',
    audit: 'channel.test',
    answers: { 200: json('The outcome.', deliveryOutcomeAnswer) },
  },
  async ({ project, params, note }) => {
    const outcome = await deliverTest(project, params.channel)
    note({ name: outcome.kind === 'delivered' ? 'delivered' : 'not delivered' })
    return outcome
  },
)

export const listDeliveries = projectOperation(
  {
    at: `GET ${p}/deliveries`,
    summary: 'Delivery log',
    needs: 'read',
    answers: { 200: list('Newest deliveries first.', 'deliveries', deliveryAnswer) },
  },
  async ({ project }) => ({ deliveries: await deliveries.listDeliveries(project) }),
)

export const replayDelivery = projectOperation(
  {
    at: `POST ${p}/deliveries/[delivery]/replay`,
    summary: 'Send a message again',
    needs: 'administer',
    audit: 'delivery.replay',
    answers: { 200: json('The delivery.', deliveryAnswer) },
    problems: conflict,
  },
  ({ project, params }) => deliveries.replayDelivery(project, params.delivery, new Date()),
)
