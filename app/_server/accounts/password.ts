import { createHash, randomBytes } from 'node:crypto'
import { maxPasswordLength, minPasswordLength } from '@/lib/account/account'
import { InvalidInputError } from '@/lib/errors'
import common from './common-passwords.json'
import { hashText, NoArgon2Error, verifyText } from './password-hash'

/** Verified for an address without a password, so that its response takes as long. */
let decoy: Promise<string> | null = null

/**
 * Hashes a new password. Throws InvalidInputError when it is too short, too long, the e-mail address itself, or common.
 */
export async function hashPassword(password: string, email: string): Promise<string> {
  const length = [...password].length
  const field = 'password'
  if (length < minPasswordLength)
    throw new InvalidInputError(`A password needs at least ${minPasswordLength} characters.`, { field })
  if (length > maxPasswordLength)
    throw new InvalidInputError(`A password has at most ${maxPasswordLength} characters.`, { field })
  if (password.toLowerCase() === email.toLowerCase())
    throw new InvalidInputError('The password is the e-mail address.', { field })
  if (new Set(password).size < 4) throw new InvalidInputError('The password repeats a few characters.', { field })
  if (isCommon(password))
    throw new InvalidInputError('This password is on lists of common passwords, which attackers use first.', { field })
  return hashText(password.normalize('NFC'))
}

/** Whether it is one of 5,000 common passwords, in any case. */
function isCommon(password: string): boolean {
  const { sha256Starts, digitsOfEach } = common
  const start = createHash('sha256').update(password.toLowerCase()).digest('hex').slice(0, digitsOfEach)
  for (let at = sha256Starts.indexOf(start); at >= 0; at = sha256Starts.indexOf(start, at + 1))
    if (at % digitsOfEach === 0) return true
  return false
}

/**
 * Whether the password matches the hash. Null takes as long, and is false; so does a hash that cannot be verified here,
 * which throws NoArgon2Error.
 */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  decoy ??= hashText(randomBytes(16).toString('hex'))
  const given = password.slice(0, maxPasswordLength * 4).normalize('NFC')
  try {
    const isRight = await verifyText(passwordHash ?? (await decoy), given)
    return isRight && passwordHash !== null
  } catch (error) {
    if (error instanceof NoArgon2Error) await verifyText(await decoy, given)
    throw error
  }
}
