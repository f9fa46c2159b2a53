import type { ReactNode } from 'react'
import { PrintFoot } from '../shell/print-foot'
import { Brand } from '../ui/icon'
import styles from './share-frame.module.css'

/**
 * The frame of a shared page: its maker's name for it is on the page, ours at the foot, and there are no links
 * elsewhere.
 */
export function ShareFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className={`flex ${styles.frame}`}>
      <a className="skip-link" href="#page">
        Skip to content
      </a>
      <main id="page" className={`fill slim ${styles.page}`} tabIndex={-1}>
        {children}
        <PrintFoot />
      </main>
      <footer className={`row gap-8 muted text-13 ${styles.foot}`}>
        <Brand /> Shared from Tailboard, the results dashboard for load tests
      </footer>
    </div>
  )
}
