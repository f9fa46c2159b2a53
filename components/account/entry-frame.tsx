import type { ReactNode } from 'react'
import { Brand } from '../ui/icon'
import styles from './entry.module.css'

/** The frame of pages for people who are not signed in: the name of the product, and one thing to do. */
export function EntryFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className={`flex ${styles.frame}`}>
      <a className="skip-link" href="#page">
        Skip to content
      </a>
      <header className={`row gap-8 bold ${styles.brand}`}>
        <Brand /> Tailboard
      </header>
      <main id="page" className={`full ${styles.page}`} tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
