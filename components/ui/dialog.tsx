'use client'

import { useEffect, useRef, type ReactNode } from 'react'
import styles from './dialog.module.css'

interface Props {
  readonly label: string
  readonly className?: string | undefined
  onClose(): void
  /** `close`: as Escape does. */
  children(close: () => void): ReactNode
}

/** A dialog that is open as long as it is on the page. */
export function Dialog({ label, className = '', onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className={`text ${styles.dialog} ${className}`} aria-label={label} onClose={onClose}>
      {children(() => dialog.current?.close())}
    </dialog>
  )
}
