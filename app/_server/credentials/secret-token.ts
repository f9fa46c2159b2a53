import { createHash, randomBytes, randomInt } from 'node:crypto'
import { crc32 } from '../archive/crc32'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefix = 'tailboard_'
const bodyLength = 30
const sumLength = 6
const pattern = new RegExp(`^${prefix}[0-9A-Za-z]{${bodyLength + sumLength}}$`)

/** A secret of 256 random bits for a cookie or a link. */
export const makeSecret = (): string => randomBytes(32).toString('base64url')

/** What the database stores of a secret: its SHA-256, as hex. Secrets are random, so no salt is needed. */
export const sha256Of = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/**
 * A new API token: prefix, 30 base62 digits (178 bits), and their CRC-32, by which scanners of leaked secrets recognise
 * it.
 */
export function makeApiToken(): string {
  const body = Array.from({ length: bodyLength }, () => digits[randomInt(digits.length)]).join('')
  return prefix + body + checksum(body)
}

/** Whether a text can be an API token; others never reach the database. */
export function isApiToken(text: string): boolean {
  if (!pattern.test(text)) return false
  const body = text.slice(prefix.length, prefix.length + bodyLength)
  return text.endsWith(checksum(body))
}

/** The part of a token that is shown, to distinguish it from others. */
export const hintOf = (token: string): string => `${token.slice(0, prefix.length + 4)}…`

function checksum(body: string): string {
  let rest = crc32(Buffer.from(body))
  let text = ''
  for (let at = 0; at < sumLength; at++) {
    text = (digits[rest % digits.length] ?? '') + text
    rest = Math.floor(rest / digits.length)
  }
  return text
}
