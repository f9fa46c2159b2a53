import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'

/** The boxes that select the lines of a table. */
export interface Selection {
  /** Around the table. */
  readonly holder: RefObject<HTMLDivElement | null>
  /** In the order of the lines. */
  boxes(): readonly HTMLInputElement[]
  select(some: readonly HTMLInputElement[], checked: boolean): void
  /** Called for each change inside the holder. */
  onChange(target: EventTarget): void
}

/**
 * Watches the boxes of a name, and those that select all of them (`data-all`) or those of their part of the table
 * (`data-group`). `onTicked` gets the ticked ones after each change.
 */
export function useSelection(name: string, onTicked: (ticked: readonly HTMLInputElement[]) => void): Selection {
  const holder = useRef<HTMLDivElement>(null)
  const inputs = (selector: string) => [...(holder.current?.querySelectorAll<HTMLInputElement>(selector) ?? [])]
  const boxes = () => inputs(`input[name=${name}]`)
  const read = () => {
    const every = boxes()
    for (const head of inputs('input[data-all], input[data-group]')) {
      const own = boxesBelow(head, every)
      const on = own.filter((box) => box.checked).length
      head.checked = own.length > 0 && on === own.length
      head.indeterminate = on > 0 && on < own.length
    }
    onTicked(every.filter((box) => box.checked))
  }
  const select = (some: readonly HTMLInputElement[], checked: boolean) => {
    for (const box of some) box.checked = checked
    read()
  }
  const readFirst = useEffectEvent(read)
  // Browsers restore ticks on "back" and on reload.
  useEffect(() => readFirst(), [])
  const onChange = (target: EventTarget) => {
    if (!(target instanceof HTMLInputElement)) return
    if (target.dataset.all === undefined && target.dataset.group === undefined) read()
    else select(boxesBelow(target, boxes()), target.checked)
  }
  return { holder, boxes, select, onChange }
}

/** The boxes that a box for all, or for a part, controls. */
const boxesBelow = (head: HTMLInputElement, every: readonly HTMLInputElement[]): readonly HTMLInputElement[] =>
  head.dataset.all !== undefined ? every : every.filter((box) => head.closest('tbody')?.contains(box))
