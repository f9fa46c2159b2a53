'use client'

import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
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
  useClosing(menu)
  useEffect(() => {
    const onChoice = ({ target }: Event) => {
      if (target instanceof Element && target.closest('a, button') !== null) menu.current?.removeAttribute('open')
    }
    const list = menu.current?.lastElementChild
    list?.addEventListener('click', onChoice)
    return () => list?.removeEventListener('click', onChoice)
  }, [])
  return (
    <details ref={menu} className={`bare-summary relative ${styles.menu} ${className}`} data-menu="">
      <summary
        className={value !== undefined ? styles.chip : isNamed ? styles.named : `button button-icon ${styles.opener}`}
        title={isShown ? undefined : label}
      >
        {isShown ? (
          <span className="truncate fill">
            {label}
            {value !== undefined && value !== '' && <b> {value}</b>}
          </span>
        ) : (
          <span className="visually-hidden">{label}</span>
        )}
        <Icon name={icon ?? (value === undefined ? 'more' : 'down')} />
      </summary>
      <div className={`floating grid ${styles.list}`} data-at={at}>
        {children}
      </div>
    </details>
  )
}

/** Closes a disclosure on a press elsewhere, and on Escape, which returns the focus to its opener. */
export function useClosing(details: RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const close = () => details.current?.removeAttribute('open')
    const onPointer = ({ target }: Event) => {
      if (target instanceof Node && details.current?.contains(target) === false) close()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || details.current?.open !== true) return
      close()
      details.current.querySelector('summary')?.focus()
    }
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('keydown', onKey)
    }
  }, [details])
}
