'use client'

import { useEffect, useRef, type ReactNode } from 'react'
import { Icon, type IconName } from './icon'
import styles from './menu.module.css'

interface Props {
  /** What it opens; for screen readers, and shown beside the icon when `isNamed`. */
  readonly label: string
  readonly icon?: IconName
  readonly isNamed?: boolean
  /** The choice, shown after the label: the button is a chip. */
  readonly value?: string
  /** The edges of its button that the menu shares: below and to the left of its right edge by default. */
  readonly at?: 'end' | 'start' | 'above'
  readonly className?: string | undefined
  /** Links, buttons and `hr`. An entry that opens a dialog or a form is not unmounted when the menu closes. */
  readonly children: ReactNode
}

/**
 * Actions used less than once a day, behind ⋯. A disclosure: it opens without JavaScript, Tab walks through it, Escape
 * and a click elsewhere close it, and so does a choice.
 */
export function Menu({ label, icon, isNamed = false, value, at = 'end', className = '', children }: Props) {
  const isShown = isNamed || value !== undefined
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = () => menu.current?.removeAttribute('open')
    const onPointer = ({ target }: Event) => {
      if (target instanceof Node && menu.current?.contains(target) === false) close()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || menu.current?.open !== true) return
      close()
      menu.current.querySelector('summary')?.focus()
    }
    const onChoice = ({ target }: Event) => {
      if (target instanceof Element && target.closest('a, button') !== null) close()
    }
    const list = menu.current?.lastElementChild
    list?.addEventListener('click', onChoice)
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('keydown', onKey)
    return () => {
      list?.removeEventListener('click', onChoice)
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('keydown', onKey)
    }
  }, [])
  return (
    <details ref={menu} className={`${styles.menu} ${className}`} data-menu="">
      <summary
        className={value !== undefined ? styles.chip : isNamed ? styles.named : `button button-icon ${styles.opener}`}
        title={isShown ? undefined : label}
      >
        {isShown ? (
          <span className={styles.name}>
            {label}
            {value !== undefined && value !== '' && <b> {value}</b>}
          </span>
        ) : (
          <span className="visually-hidden">{label}</span>
        )}
        <Icon name={icon ?? (value === undefined ? 'more' : 'down')} />
      </summary>
      <div className={styles.list} data-at={at}>
        {children}
      </div>
    </details>
  )
}
