'use client'

import type { ReactNode } from 'react'
import { isOffered, settingsSections, type SectionId } from '../shell/destinations'
import { useAccess } from '../ui/actions/access'
import styles from './settings-sections.module.css'

interface Props {
  readonly of: SectionId
  readonly children: ReactNode
}

/** A part of the settings under its heading, for those who may use it. */
export function Section({ of, children }: Props) {
  const access = useAccess()
  const section = settingsSections.find(({ id }) => id === of)
  if (section === undefined || !isOffered(section, access)) return null
  return (
    <section id={of} className={styles.section} aria-labelledby={`${of}-title`}>
      <h2 id={`${of}-title`} className="section-title">
        {section.name}
      </h2>
      {children}
    </section>
  )
}
