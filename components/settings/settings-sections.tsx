'use client'

import type { ReactNode } from 'react'
import { holders } from '@/lib/account/right-words'
import { isOffered, settingsSections } from '../shell/destinations'
import { useAccess, useIsAllowed } from '../ui/actions/access'
import styles from './settings-sections.module.css'

/** The sections of the settings, with links to each beside them. */
export function SettingsSections({ children }: { readonly children: ReactNode }) {
  const access = useAccess()
  const mayAdminister = useIsAllowed('administer')
  return (
    <div className={`page grid ${styles.sections}`}>
      <nav className={`flex text-13 screen-only ${styles.links}`} aria-label="Sections">
        {settingsSections
          .filter((section) => isOffered(section, access))
          .map(({ id, name }) => (
            <a key={id} href={`#${id}`}>
              {name}
            </a>
          ))}
      </nav>
      <div className="slim">
        {!mayAdminister && <p className="muted">{holders('administer')} of the project change its settings.</p>}
        {children}
      </div>
    </div>
  )
}
