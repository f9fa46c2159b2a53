'use client'

import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { sentenceOf } from './call-api'
import { Icon } from '../icon'
import styles from './toasts.module.css'

interface Toast {
  readonly id: number
  readonly message: string
  readonly isFailure: boolean
  readonly closesAfterMs: number
  /** Null: it cannot be undone. */
  readonly undo: (() => void) | null
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()
const none: readonly Toast[] = []

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function open(toast: Omit<Toast, 'id'>): void {
  lastId += 1
  change([...toasts, { id: lastId, ...toast }])
}

const close = (id: number) => change(toasts.filter((toast) => toast.id !== id))

/** Reports a finished action. */
export function announce(message: string): void {
  open({ message, isFailure: false, closesAfterMs: 4_000, undo: null })
}

/** Reports a finished action and offers to undo it for ten seconds. `undo` reverts it; `after` shows the result. */
export function offerUndo(message: string, undo: () => Promise<unknown>, after: () => void): void {
  const takeBack = () => void undo().then(after, announceFailure)
  open({ message, isFailure: false, closesAfterMs: 10_000, undo: takeBack })
}

/** Shows why an action failed. */
export function announceFailure(error: unknown): void {
  open({ message: sentenceOf(error), isFailure: true, closesAfterMs: 10_000, undo: null })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * The place for all messages. A live region that exists from the start, so that screen readers read new ones; a
 * popover, so that it is above open dialogs. While the pointer or the focus is in it, nothing closes.
 */
export function Toasts() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  )
  const region = useRef<HTMLDivElement>(null)
  const cameFrom = useRef<Element | null>(null)
  const [isHovered, setIsHovered] = useState(false)
  const [isFocused, setIsFocused] = useState(false)
  const newestId = shown.at(-1)?.id

  // Reopened for each one: the last popover or dialog to open is on top.
  useEffect(() => {
    // Not while it has the focus, which closing would move.
    if (newestId === undefined || region.current?.contains(document.activeElement) === true) return
    region.current?.hidePopover()
    region.current?.showPopover()
  }, [newestId])

  const leave = useCallback((id: number) => {
    // A removed button takes the focus with it: return it to where it came from.
    const hadFocus = region.current?.querySelector(`[data-toast="${id}"]`)?.contains(document.activeElement) ?? false
    close(id)
    if (toasts.length === 0) setIsHovered(false)
    if (!hadFocus) return
    setIsFocused(false)
    const back = cameFrom.current?.isConnected ? cameFrom.current : document.getElementById('page')
    if (back instanceof HTMLElement) back.focus()
  }, [])

  return (
    <div
      ref={region}
      popover="manual"
      className={`flex gap-16 text flush screen-only ${styles.toasts}`}
      role="region"
      aria-label="Notifications"
      aria-live="polite"
      aria-relevant="additions"
      onPointerEnter={() => setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
      onFocus={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget
        setIsFocused(true)
      }}
      onBlur={({ relatedTarget, currentTarget }) => setIsFocused(currentTarget.contains(relatedTarget))}
    >
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} isPaused={isHovered || isFocused} onClose={leave} />
      ))}
    </div>
  )
}

interface CardProps {
  readonly toast: Toast
  readonly isPaused: boolean
  readonly onClose: (id: number) => void
}

function ToastCard({ toast: { id, message, isFailure, closesAfterMs, undo }, isPaused, onClose }: CardProps) {
  useEffect(() => {
    if (isPaused) return
    const timer = setTimeout(() => onClose(id), closesAfterMs)
    return () => clearTimeout(timer)
  }, [id, isPaused, closesAfterMs, onClose])
  return (
    <div
      data-toast={id}
      role={isFailure ? 'alert' : undefined}
      className={
        isFailure
          ? `row outlined gap-12 relative ${styles.toast} ${styles.failure}`
          : `row outlined gap-12 relative ${styles.toast}`
      }
    >
      <p className={`break fill slim flush ${styles.message}`}>{message}</p>
      {undo !== null && (
        <button
          type="button"
          className="button"
          aria-keyshortcuts="Z"
          onClick={() => {
            onClose(id)
            undo()
          }}
        >
          Undo
        </button>
      )}
      <button
        type="button"
        className={`inline-row muted rigid ${styles.close}`}
        aria-label="Close"
        onClick={() => onClose(id)}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}
