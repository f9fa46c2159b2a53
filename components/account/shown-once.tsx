import type { ReactNode } from 'react'
import { CommandLine } from '../ui/actions/curl-line'
import styles from './account.module.css'

interface Props {
  /** Its kind: `token`, `link`. */
  readonly noun: string
  readonly secret: string
  /** Instructions for using it. */
  readonly children?: ReactNode
}

/** A secret just made: it is stored nowhere, and not shown again. */
export function ShownOnce({ noun, secret, children }: Props) {
  return (
    <div className={`card ${styles.once}`} role="status">
      <p>
        <b>Copy this {noun} now:</b> it is not shown again.
      </p>
      <CommandLine command={secret} name={`The ${noun}`} />
      {children}
    </div>
  )
}
