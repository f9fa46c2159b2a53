'use client'

import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import type { ListStep } from './list-keys'
import styles from './option-list.module.css'

/** A list of options below a field that keeps the focus: whether it is open, and its current option. */
export function useOptionList(count: number, choose: (at: number) => void) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const isShown = isOpen && count > 0
  const open = (at: number) => {
    setIsOpen(true)
    setActive(at)
  }
  const close = () => setIsOpen(false)
  const chosen = (at: number) => {
    close()
    choose(at)
  }
  /** `first`: the place that is current when a key opens the list. */
  const take = (step: ListStep, first: number) => {
    if (step === 'open') open(first)
    else if (step === 'close') close()
    else if (step === 'choose') chosen(active)
    else open(step.goTo)
  }
  const aria = {
    role: 'combobox',
    'aria-expanded': isShown,
    'aria-controls': isShown ? id : undefined,
    'aria-activedescendant': isShown && active >= 0 ? `${id}-${active}` : undefined,
  }
  return { isShown, active, open, close, take, aria, list: { id, active, onChoose: chosen } }
}

/** An option as the list shows it. */
export interface ListedOption {
  readonly key: string
  readonly content: ReactNode
  readonly isDisabled?: boolean
  /** Set off from those above it. */
  readonly isApart?: boolean
}

interface Props {
  readonly id: string
  readonly label: string
  readonly active: number
  readonly options: readonly ListedOption[]
  /** The field above the list. */
  readonly field: RefObject<HTMLElement | null>
  onChoose(at: number): void
}

/** The list, on top of the page: no scrolling container may cut it off. */
export function OptionList({ id, label, active, options, field, onChoose }: Props) {
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    list.current?.showPopover()
    const place = () => {
      if (list.current && field.current) placeBelow(list.current, field.current.getBoundingClientRect())
    }
    place()
    window.addEventListener('scroll', place, { capture: true, passive: true })
    window.addEventListener('resize', place)
    return () => {
      window.removeEventListener('scroll', place, { capture: true })
      window.removeEventListener('resize', place)
    }
  }, [field])
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <ul
      ref={list}
      id={id}
      popover="manual"
      role="listbox"
      aria-label={label}
      className={`floating text ${styles.list}`}
    >
      {options.map(({ key, content, isDisabled = false, isApart = false }, at) => (
        <li
          key={key}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          aria-disabled={isDisabled || undefined}
          data-new={isApart ? '' : undefined}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={(event) => {
            // Within a label, a click would go on to the field.
            event.preventDefault()
            onChoose(at)
          }}
        >
          {content}
        </li>
      ))}
    </ul>
  )
}

const gapPx = 4
const edgePx = 8

/** Puts the list below its field, or above if there is more room. */
function placeBelow(list: HTMLElement, { left, top, bottom, width }: DOMRect): void {
  const below = window.innerHeight - bottom - gapPx - edgePx
  const above = top - gapPx - edgePx
  const isBelow = below >= Math.min(list.scrollHeight, 200) || below >= above
  list.style.minWidth = `${Math.max(width, 200)}px`
  list.style.maxHeight = `${Math.min(320, isBelow ? below : above)}px`
  const { offsetWidth, offsetHeight } = list
  list.style.left = `${Math.max(edgePx, Math.min(left, window.innerWidth - offsetWidth - edgePx))}px`
  list.style.top = `${isBelow ? bottom + gapPx : top - gapPx - offsetHeight}px`
}
