import { expect, it } from 'vitest'
import { themes } from '@/app/_server/themes'
import { alertMessage, channelOffMessage, testMessage } from '@/lib/rules/alert-message'
import { ConflictError, NotFoundError } from '@/lib/errors'
import { mailTexts } from '@/lib/rules/message-forms'
import { failingLifeMs, retryDelaysMs } from '@/lib/rules/retries'
import { localViewer, type Viewer } from '@/lib/viewer'
import { database } from '@/prisma/db'
import { getAlert, listAlerts, moveAlert } from '@/prisma/queries/alerts/alerts'
import { createChannel, deleteChannel, listChannels, updateChannel } from '@/prisma/queries/alerts/channels'
import {
  claimDeliveries,
  createTestDelivery,
  endTry,
  listDeliveries,
  replayDelivery,
  saveMessage,
  type ClaimedDelivery,
} from '@/prisma/queries/alerts/deliveries'
import { listProjectNames } from '@/prisma/queries/projects/frames'
import { deleteProject, grant } from '@/prisma/queries/projects/projects'
import { rewriteTargets } from '@/prisma/queries/installation/sweeps'
import { describeOnEngines } from '../engines'
import { raiseAlert, uploadRuns } from './raise-alert'
import { sampleProject } from '../samples'

const secret = `whsec_${'c2VjcmV0'.repeat(5)}`
const later = (now: Date, ms: number) => new Date(now.getTime() + ms)
const soon = () => later(new Date(), 10_000)
const system = (projectId: string): Viewer => ({ kind: 'system', projectId })
const context = {
  origin: 'http://localhost:3000',
  project: { slug: 'x', name: 'X' },
  repositoryUrl: null,
  at: '2026-11-21T09:00:00.000Z',
}
const channelOff = (channel: Parameters<typeof channelOffMessage>[0]) => channelOffMessage(channel, context)
const failure = { kind: 'failed', statusCode: 500, error: 'It responded with 500.', isGone: false } as const

const grantOf = (projectId: string) => grant(localViewer, { id: projectId }, 'administer')

const webhook = async (projectId: string, name = 'ops') =>
  createChannel(await grantOf(projectId), {
    kind: 'webhook',
    name,
    targetShown: 'hooks.example.com',
    target: 'https://hooks.example.com/secret-path',
    secret,
  })

/** Due deliveries of one project; those of other tests are put back. */
async function claim(projectId: string, now = soon(), maxPerChannel = 100): Promise<ClaimedDelivery[]> {
  const lease = { leaseUntil: later(now, 30_000), max: 1_000, maxPerChannel, busy: {} }
  return (await claimDeliveries({ now, ...lease })).filter((one) => one.projectId === projectId)
}

/** Slugs of the projects that the frame marks because one of their channels disabled itself. */
const markedSlugs = async () =>
  (await listProjectNames(localViewer)).filter((project) => project.hasDeadChannel).map(({ slug }) => slug)

describeOnEngines('channels', (once) => {
  it('are listed without secret and path, renamed, disabled and enabled, sealed, deleted', async () => {
    const project = await sampleProject()
    const made = await webhook(project.id)
    expect(made).toMatchObject({ kind: 'webhook', name: 'ops', targetShown: 'hooks.example.com', isEnabled: true })
    const shown = JSON.stringify(await listChannels(await grantOf(project.id)))
    expect(shown).not.toMatch(/whsec|secret-path/)
    const granted = await grantOf(project.id)
    const edit = { channelId: made.id }
    const off = await updateChannel(granted, { ...edit, isEnabled: false, name: 'night shift' }, new Date())
    expect(off).toMatchObject({ name: 'night shift', isEnabled: false, disabledReason: 'user' })
    expect(await markedSlugs()).not.toContain(project.slug)
    const on = await updateChannel(granted, { ...edit, isEnabled: true }, new Date())
    expect(on).toMatchObject({ isEnabled: true, disabledReason: null, disabledAt: null })
    await rewriteTargets((stored) => {
      const isOurs = stored.projectId === project.id
      return Promise.resolve(isOurs ? { target: `sealed:1:${stored.target}`, secret: 'sealed:1:sealed' } : null)
    })
    const kept = await database().channel.findMany({ where: { projectId: project.id } })
    expect(kept).toMatchObject([
      { target: 'sealed:1:https://hooks.example.com/secret-path', secret: 'sealed:1:sealed' },
    ])
    await deleteChannel(granted, made.id)
    expect(await listChannels(await grantOf(project.id))).toEqual([])
    await expect(deleteChannel(granted, made.id)).rejects.toThrow(NotFoundError)
  })

  once('a project has at most 50', async () => {
    const { id } = await sampleProject()
    for (let at = 0; at < 50; at += 1) await webhook(id, `channel ${at}`)
    await expect(webhook(id)).rejects.toThrow(ConflictError)
  })

  once('an alert that opens or recovers is sent once to each enabled channel; manual moves are not', async () => {
    const { id: projectId } = await sampleProject()
    const [ops, off] = [await webhook(projectId), await webhook(projectId, 'off')]
    await updateChannel(await grantOf(projectId), { channelId: off.id, isEnabled: false }, new Date())
    await raiseAlert(projectId, 'abc1234')
    const [opened, ...others] = await listDeliveries(await grantOf(projectId))
    expect(others).toEqual([])
    expect(opened).toMatchObject({ channelId: ops.id, what: 'opened', status: 'waiting', attempts: 0, title: null })

    const alertId = opened?.alertId ?? ''
    for (const to of ['acknowledged', 'open'] as const) {
      await moveAlert(await grantOf(projectId), { alertId, to }, new Date())
    }
    expect(await listDeliveries(await grantOf(projectId))).toHaveLength(1)
    await uploadRuns(projectId, { count: 12, ms: 100, evaluations: 12 })
    const steps = (await getAlert(await grantOf(projectId), alertId)).steps.map((step) => step.what)
    expect(steps).toContain('recovered')
    const all = await listDeliveries(await grantOf(projectId))
    expect(all.map((one) => one.what)).toEqual(['recovered', 'opened'])
    expect(new Set(all.map((one) => one.messageId)).size).toBe(2)
  })

  once('what old runs show is an alert that says why no message was sent', async () => {
    const { id: projectId } = await sampleProject()
    await webhook(projectId)
    await raiseAlert(projectId, 'abc1234', 30)
    await uploadRuns(projectId, { count: 12, ms: 100, evaluations: 12, daysAgo: 30 })
    const [alert, ...others] = await listAlerts(await grantOf(projectId), ['recovered'])
    expect(others).toEqual([])
    const { steps } = await getAlert(await grantOf(projectId), alert?.id ?? '')
    const told = /^No notification sent: the run that raised it began on \d{1,2} \w{3} \d{4}\.$/
    expect(steps.filter((step) => ['opened', 'recovered'].includes(step.what))).toMatchObject([
      { what: 'opened', note: expect.stringMatching(told) },
      { what: 'recovered', note: expect.stringMatching(told) },
    ])
    expect(await listDeliveries(await grantOf(projectId))).toEqual([])
  })

  it('waits 2 s for the rest of a commit, is claimed once, and again if the claimant dies', async () => {
    const { id: projectId } = await sampleProject()
    await webhook(projectId)
    await raiseAlert(projectId)
    const [row] = await listDeliveries(await grantOf(projectId))
    const due = new Date(row?.nextTryAt ?? '')
    expect(due.getTime() - new Date(row?.createdAt ?? '').getTime()).toBe(2_000)
    expect(await claim(projectId, later(due, -1))).toEqual([])
    expect(await claim(projectId, due)).toMatchObject([{ id: row?.id, secret, message: null }])
    expect(await claim(projectId, later(due, 29_999))).toEqual([])
    expect(await claim(projectId, later(due, 30_000))).toMatchObject([{ id: row?.id }])
  })

  it('is tried ten times over 75 hours, with the message of the first attempt, then resent manually', async () => {
    const { id: projectId, slug, name } = await sampleProject()
    await webhook(projectId)
    await raiseAlert(projectId, 'abc1234')
    const [alertOf] = await listDeliveries(await grantOf(projectId))
    const alert = await getAlert(await grantOf(projectId), alertOf?.alertId ?? '')
    let now = soon()
    const waits: number[] = []
    for (let tries = 1; tries <= 10; tries += 1) {
      const [claimed] = await claim(projectId, now)
      if (claimed === undefined) throw new Error(`nothing was due before try ${tries}`)
      if (tries === 1) {
        const context = {
          origin: 'http://localhost:3000',
          project: { slug, name },
          repositoryUrl: null,
          at: now.toISOString(),
        }
        await saveMessage(system(projectId), claimed, alertMessage(alert, 'opened', context))
      } else expect(claimed.message).toMatchObject({ title: expect.stringContaining('higher') })
      await endTry(system(projectId), claimed, failure, { now, random: tries % 2 ? 0 : 0.999, scale: 1, channelOff })
      const [after] = await listDeliveries(await grantOf(projectId))
      expect(after).toMatchObject({ attempts: tries, lastStatusCode: 500, lastError: 'It responded with 500.' })
      if (after?.nextTryAt) waits.push(new Date(after.nextTryAt).getTime() - now.getTime())
      now = new Date(after?.nextTryAt ?? now)
    }
    expect(waits).toHaveLength(9)
    for (const [at, wait] of waits.entries()) {
      const planned = retryDelaysMs[at] ?? 0
      expect(wait / planned).toBeGreaterThanOrEqual(0.9)
      expect(wait / planned).toBeLessThanOrEqual(1.1)
    }
    expect(await listDeliveries(await grantOf(projectId))).toMatchObject([{ status: 'failed', nextTryAt: null }])
    expect(await listChannels(await grantOf(projectId))).toMatchObject([{ isEnabled: true }])

    const deliveryId = alertOf?.id ?? ''
    const again = await replayDelivery(await grantOf(projectId), deliveryId, now)
    expect(again).toMatchObject({ status: 'waiting', attempts: 0, messageId: alertOf?.messageId })
    await expect(replayDelivery(await grantOf(projectId), deliveryId, now)).rejects.toThrow(ConflictError)
    const [claimed] = await claim(projectId, now)
    if (claimed === undefined) throw new Error('the replay is not due')
    await endTry(
      system(projectId),
      claimed,
      { kind: 'delivered', statusCode: 204 },
      { now, random: 0, scale: 1, channelOff },
    )
    expect(await listDeliveries(await grantOf(projectId))).toMatchObject([{ status: 'delivered', lastError: null }])
    expect(await listChannels(await grantOf(projectId))).toMatchObject([{ failingSince: null }])
  })

  once('is turned off when the receiver is gone, and after five days of failure, not a moment before', async () => {
    const { id: projectId, slug } = await sampleProject()
    const channel = await webhook(projectId)
    await raiseAlert(projectId)
    const edit = { channelId: channel.id }
    const [row] = await listDeliveries(await grantOf(projectId))
    const now = soon()
    const end = async (at: Date, isGone = false) => {
      const [claimed] = await claim(projectId, at)
      if (claimed === undefined) throw new Error('nothing is due')
      await endTry(system(projectId), claimed, { ...failure, isGone }, { now: at, random: 0, scale: 1, channelOff })
      return (await listChannels(await grantOf(projectId)))[0]
    }
    expect(await end(now)).toMatchObject({ isEnabled: true, failingSince: now.toISOString() })
    expect(await end(later(now, failingLifeMs - 1))).toMatchObject({ isEnabled: true })
    expect(await end(later(now, failingLifeMs * 1.1))).toMatchObject({ isEnabled: false, disabledReason: 'failing' })
    expect(await listDeliveries(await grantOf(projectId))).toMatchObject([
      { status: 'failed', lastError: 'Failing for five days; the channel was disabled.' },
    ])
    await expect(replayDelivery(await grantOf(projectId), row?.id ?? '', now)).rejects.toThrow(
      'The channel is disabled.',
    )
    expect(await markedSlugs()).toContain(slug)
    await updateChannel(await grantOf(projectId), { ...edit, isEnabled: true }, now)
    expect(await markedSlugs()).not.toContain(slug)
    await replayDelivery(await grantOf(projectId), row?.id ?? '', now)
    expect(await end(now, true)).toMatchObject({ isEnabled: false, disabledReason: 'gone' })
    expect(await claim(projectId, later(now, 10 * failingLifeMs))).toEqual([])
  })

  once('that turned itself off is told of to the mail channels that are on, once', async () => {
    const { id: projectId } = await sampleProject()
    const granted = await grantOf(projectId)
    const mail = { kind: 'email' as const, secret: null }
    const on = await createChannel(granted, {
      ...mail,
      name: 'team',
      targetShown: 'team@example.com',
      target: 'team@example.com',
    })
    const off = await createChannel(granted, {
      ...mail,
      name: 'old',
      targetShown: 'old@example.com',
      target: 'old@example.com',
    })
    await updateChannel(await grantOf(projectId), { channelId: off.id, isEnabled: false }, new Date())
    const hook = await webhook(projectId)
    await raiseAlert(projectId)
    await raiseAlert(projectId, 'later')
    const now = soon()
    const claimed = (await claim(projectId, now)).filter((one) => one.channelId === hook.id)
    for (const one of claimed)
      await endTry(system(projectId), one, { ...failure, isGone: true }, { now, random: 0, scale: 1, channelOff })
    const told = (await listDeliveries(await grantOf(projectId))).filter((one) => one.what === 'channel-off')
    expect(told).toMatchObject([
      { channelId: on.id, alertId: null, status: 'waiting', title: `Channel ${hook.name} was disabled` },
    ])
    const [next] = (await claim(projectId, now)).filter((one) => one.what === 'channel-off')
    expect(next?.message).toMatchObject({
      what: 'channel-off',
      alert: null,
      since: expect.stringContaining('the receiver responded 410 Gone.'),
      url: 'http://localhost:3000/p/x/channels',
    })
    expect(mailTexts(next?.message ?? testMessage('', context), themes).html).toContain('>Channel disabled · X<')
  })

  it('claims a few for each channel, none for a busy one', async () => {
    const { id: projectId } = await sampleProject()
    const [one, two] = [await webhook(projectId), await webhook(projectId, 'two')]
    for (const channelId of [one.id, one.id, one.id, two.id]) {
      const now = new Date()
      await createTestDelivery(await grantOf(projectId), channelId, { now, leaseUntil: now })
    }
    const now = soon()
    const lease = { now, leaseUntil: later(now, 30_000), max: 1_000, maxPerChannel: 2 }
    const taken = (await claimDeliveries({ ...lease, busy: { [one.id]: 1, [two.id]: 2 } })).filter(
      (claimed) => claimed.projectId === projectId,
    )
    expect(taken.map((claimed) => claimed.channelId)).toEqual([one.id])
    expect(await claim(projectId, now, 2)).toHaveLength(3)
  })

  it('a deleted project sends nothing', async () => {
    const project = await sampleProject()
    const channel = await webhook(project.id)
    await createTestDelivery(await grantOf(project.id), channel.id, { now: new Date(), leaseUntil: new Date() })

    await deleteProject(await grant(localViewer, project, 'administer'))
    expect(await claim(project.id)).toEqual([])
  })
})
