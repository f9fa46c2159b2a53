import { needs, roleAllows, roles, scopeAllows, type Need, type Role, type TokenScope } from '../viewer'

/** Who may do what, in words. Which words apply follows from the tables of `lib/viewer`. */

const refused: Readonly<Record<Need, string>> = {
  read: 'read it',
  upload: 'upload to it',
  edit: 'change what is in it',
  administer: 'administer it',
}

/** Why a role is not enough. */
export const roleRefusal = (role: Role, need: Need): string =>
  `Your role in this project is ${role}, which may not ${refused[need]}`

/** The lowest role that covers a need, with a capital letter and as plural: `Editors`. */
export function holders(need: Need): string {
  const role = lowestRole(need)
  return `${role.charAt(0).toUpperCase()}${role.slice(1)}s`
}

/** The lowest role that covers a need. */
export const lowestRole = (need: Need): Role => roles.find((role) => roleAllows(role, need)) ?? 'admin'

const ofRole: Readonly<Record<Need, string>> = {
  read: 'reads everything',
  upload: 'uploads',
  edit: 'edits, shares, handles alerts',
  administer: 'also settings, channels and members',
}

/** What a role may do that the one below it may not, after its name. */
export function roleWords(role: Role): string {
  const below = roles[roles.indexOf(role) - 1]
  const isNew = (need: Need) => roleAllows(role, need) && (below === undefined || !roleAllows(below, need))
  return needs
    .filter(isNew)
    .map((need) => ofRole[need])
    .join(', ')
}

const ofScope: Readonly<Record<Need, string>> = {
  read: 'Reads runs, comparisons and alerts.',
  upload: 'Sends output to one project and gets its verdict.',
  edit: 'Changes runs, alerts, rules and shares.',
  administer: 'Changes settings, channels and members.',
}

/** What a token of a scope may do, in sentences. */
export function scopeWords(scope: TokenScope): string {
  const allowed = needs.filter((need) => scopeAllows(scope, need))
  if (allowed.length === needs.length) return 'Everything that your account may do.'
  const sentences = allowed.map((need) => ofScope[need])
  if (!allowed.includes('read')) sentences.push('Reads nothing else.')
  if (allowed.every((need) => need === 'read')) sentences.push('Changes nothing.')
  return sentences.join(' ')
}
