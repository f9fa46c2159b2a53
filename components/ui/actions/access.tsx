'use client'

import { createContext, useContext, type ReactNode } from 'react'
import { roleRefusal } from '@/lib/account/right-words'
import { roleAllows, type Need, type Role } from '@/lib/viewer'

/** The viewer's rights on a page. */
export interface Access {
  /** The project of the page; null: none, or none that the viewer may see. */
  readonly project: { readonly slug: string; readonly name: string } | null
  /** The viewer's role in the project of the page. */
  readonly role: Role
  /** False: any client may do everything; there are no members, tokens or audit log. */
  readonly hasAccounts: boolean
}

/** The server decides in any case: without an access (pages of no project), everything is offered. */
const AccessOfPage = createContext<Access>({ project: null, role: 'admin', hasAccounts: false })

/** Sets for a whole page what may be offered: only the frame uses it. */
export function AccessProvider({ access, children }: { readonly access: Access; readonly children: ReactNode }) {
  return <AccessOfPage value={access}>{children}</AccessOfPage>
}

export const useAccess = (): Access => useContext(AccessOfPage)

/** Whether the viewer has this right in the project of the page. */
export const useIsAllowed = (need: Need): boolean => roleAllows(useAccess().role, need)

interface Props {
  readonly need: Need
  /** Shown to others; absent: nothing. */
  readonly otherwise?: ReactNode
  readonly children: ReactNode
}

/** Shown only to those with this right in the page's project. */
export function IfAllowed({ need, otherwise = null, children }: Props) {
  return useIsAllowed(need) ? children : otherwise
}

/** Why the viewer's role does not have a right. */
export function Refusal({ need }: Pick<Props, 'need'>) {
  return `${roleRefusal(useAccess().role, need)}.`
}
