import { roles, type Role } from '@/lib/viewer'

/** The purpose of a role, after its name. */
export const roleWords: Readonly<Record<Role, string>> = {
  viewer: 'reads everything',
  editor: 'uploads, edits, shares, handles alerts',
  admin: 'also settings, channels and members',
}

/** The roles to choose from. */
export const roleOptions = roles.map((role) => ({ value: role, name: role }))
