import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { InvalidInputError } from '@/lib/errors'
import { makeFolder, syncPath } from '@/prisma/sync-disk'
import type { Settings } from '../settings'

/** No URL and no e-mail address begins with this. */
const mark = 'sealed:1:'
const ivBytes = 12
const tagBytes = 16
const algorithm = 'aes-256-gcm'

/** The key that seals addresses and secrets of channels in the database: 32 bytes. */
export type ChannelKey = Buffer

/**
 * The key of this installation: from TAILBOARD_SECRET_KEY, else from `channel.key` in the data folder, which is made
 * when first needed and is never in the database. Throws InvalidInputError when that file is damaged.
 */
export async function readChannelKey({ secretKey, dataFolder }: Pick<Settings, 'secretKey' | 'dataFolder'>) {
  const master = secretKey ?? (await readOrMakeFile(dataFolder))
  return Buffer.from(hkdfSync('sha256', master, '', 'tailboard channels 1', 32))
}

async function readOrMakeFile(dataFolder: string): Promise<string> {
  const file = path.join(/*turbopackIgnore: true*/ dataFolder, 'channel.key')
  const text = await readFile(file, 'utf8').catch(ifCode('ENOENT'))
  if (text !== undefined) return checkedKey(text, file)
  await makeFolder(dataFolder)
  const made = `${file}.${randomBytes(8).toString('hex')}`
  await writeFile(made, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600, flush: true })
  // Linked only when it is whole; of several processes, the first one's file stays.
  await link(made, file).catch(ifCode('EEXIST'))
  await unlink(made)
  await syncPath(dataFolder)
  return checkedKey(await readFile(file, 'utf8'), file)
}

function ifCode(code: string): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof Error && 'code' in error && error.code === code)) throw error
  }
}

function checkedKey(text: string, file: string): string {
  if (text.trim().length >= 43) return text.trim()
  throw new InvalidInputError(
    `${file} does not contain a key: restore it from a backup, or remove it and create the channels again.`,
  )
}

/** Whether a text from the database is sealed. Rows from before there were keys are not, until the next start. */
export const isSealed = (text: string): boolean => text.startsWith(mark)

/** Encrypts a text for one project; `unseal` with the same key and project gives it back. */
export function seal(plain: string, projectId: string, key: ChannelKey): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(projectId))
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return mark + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** The text that was sealed. Throws InvalidInputError when another key or project sealed it, or when it was changed. */
export function unseal(sealed: string, projectId: string, key: ChannelKey): string {
  if (!isSealed(sealed)) return sealed
  const bytes = Buffer.from(sealed.slice(mark.length), 'base64url')
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(projectId)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    throw new InvalidInputError(
      'Its address cannot be decrypted with the key of this server: start it with the original TAILBOARD_SECRET_KEY or channel.key, or create the channel again.',
    )
  }
}
