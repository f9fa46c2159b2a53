import { ConflictError, InvalidInputError, NotFoundError } from '../../../lib/errors'
import type { ChannelKind, ChannelRow } from '../../../lib/rules/stored-channels'
import { database } from '../../db'
import { toChannelRow } from '../../rows/channel-rows'
import { isId, newId } from '../../rows/ids'
import { checkedName } from '../../rows/limits'
import { requireProject, type Db, type Granted } from '../../statements/access'
import { closeDeliveries } from '../../statements/close-deliveries'

const maxChannels = 50
const longestTarget = 2_000

interface NewChannel {
  readonly kind: ChannelKind
  readonly name: string
  /** The part of the address that is shown. */
  readonly targetShown: string
  /** Checked and sealed by the caller: app/_server/alerts/make-channel.ts. */
  readonly target: string
  /** A webhook's `whsec_…`, sealed; null for the other kinds. */
  readonly secret: string | null
}

/** A project's channels, oldest first. */
export async function listChannels(project: Granted<'read'>): Promise<readonly ChannelRow[]> {
  const found = await database().channel.findMany({
    where: { projectId: project.id },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: maxChannels,
  })
  return found.map(toChannelRow)
}

/** Makes a channel. Throws NotFoundError, InvalidInputError, ConflictError when the project has 50. */
export async function createChannel(granted: Granted<'administer'>, channel: NewChannel): Promise<ChannelRow> {
  const { kind, targetShown, target, secret } = channel
  const name = checkedName('name', channel.name)
  if (targetShown.length > longestTarget || target.length > 3 * longestTarget)
    throw new InvalidInputError('The address is too long.', { field: 'target' })
  if ((kind === 'webhook') !== (secret !== null)) throw new Error('A webhook has a secret, the other kinds have none.')
  return database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'administer')
    await tx.$executeRaw`SELECT 1 FROM project WHERE id = ${project.id} FOR UPDATE`
    if ((await tx.channel.count({ where: { projectId: project.id } })) >= maxChannels) {
      throw new ConflictError(`A project has at most ${maxChannels} channels.`, 'Delete an unused one.')
    }
    return toChannelRow(
      await tx.channel.create({
        data: { id: newId(), projectId: project.id, kind, name, targetShown, target, secret },
      }),
    )
  })
}

interface ChannelEdits {
  readonly channelId: string
  readonly name?: string | undefined
  readonly isEnabled?: boolean | undefined
}

/**
 * Renames a channel, or turns it on or off. When it is turned off, deliveries that still waited for it count as failed;
 * they can be sent again from the log. Throws NotFoundError, InvalidInputError.
 */
export async function updateChannel(
  granted: Granted<'administer'>,
  edits: ChannelEdits,
  now: Date,
): Promise<ChannelRow> {
  const name = edits.name === undefined ? {} : { name: checkedName('name', edits.name) }
  return database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'administer')
    const before = await requireChannel(tx, project.id, edits.channelId)
    const { isEnabled } = edits
    const turned = isEnabled !== undefined && isEnabled !== before.isEnabled
    if (turned && !isEnabled) await closeDeliveries(tx, before.id, 'The channel was disabled.')
    const power = !turned
      ? {}
      : isEnabled
        ? { isEnabled, disabledAt: null, disabledReason: null, failingSince: null }
        : { isEnabled, disabledAt: now, disabledReason: 'user' }
    return toChannelRow(await tx.channel.update({ where: { id: before.id }, data: { ...name, ...power } }))
  })
}

/** Deletes a channel with its log. Throws NotFoundError. */
export async function deleteChannel(project: Granted<'administer'>, channelId: string): Promise<void> {
  const channel = await requireChannel(database(), project.id, channelId)
  await database().channel.deleteMany({ where: { id: channel.id } })
}

async function requireChannel(db: Db, projectId: string, channelId: string) {
  const found = isId(channelId) ? await db.channel.findFirst({ where: { id: channelId, projectId } }) : null
  if (found === null) throw new NotFoundError('Channel')
  return found
}
