import { randomBytes } from 'node:crypto'

const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
const idPattern = /^[0-9a-v]{26}$/

/** A new id: 128 random bits, unguessable, as 26 lower-case letters and digits (one double click selects it). */
export function newId(): string {
  return BigInt(`0x${randomBytes(16).toString('hex')}`)
    .toString(32)
    .padStart(26, '0')
}

/** Whether a text from outside can be an id; anything else is not found, and never reaches the database. */
export function isId(text: string): boolean {
  return idPattern.test(text)
}

/** Whether a text from outside can be the address of a project; anything else is not found. */
export function isSlug(text: string): boolean {
  return slugPattern.test(text)
}
