import type { Role } from '@/lib/viewer'

/** What a role is for, after its name. */
export const roleWords: Readonly<Record<Role, string>> = {
  viewer: 'reads everything',
  editor: 'uploads, edits, shares, handles alerts',
  admin: 'also settings, channels and members',
}
