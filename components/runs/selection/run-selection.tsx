'use client'

import { useState, type ReactNode } from 'react'
import { orderTicked } from '../../../lib/history/document-order'
import styles from './run-selection.module.css'
import { SelectionBar } from './selection-bar'
import { useLineKeys } from './use-line-keys'
import { useSelection } from './use-selection'

interface Props {
  readonly slug: string
  /** Runs of the whole list; null: not counted. */
  readonly total: number | null
  readonly children: ReactNode
}

/**
 * Watches the boxes (`name=run`) of the table inside it, and offers actions on the selected runs. J and K move through
 * its lines, X selects, Shift selects a range; Enter follows the link as usual.
 */
export function RunSelection({ slug, total, children }: Props) {
  const [selected, setSelected] = useState<readonly string[]>([])
  const selection = useSelection('run', (on) => {
    const ticked = on.map((box) => ({ id: box.value, at: box.dataset.at ?? '' }))
    setSelected((before) => orderTicked(before, ticked))
  })
  const { holder, boxes, select, onChange } = selection
  const { onClick } = useLineKeys(selection)
  return (
    <div ref={holder} onClick={onClick} onChange={(event) => onChange(event.target)}>
      {children}
      <p className={`muted text-12 above-10 wide-only screen-only ${styles.keys}`}>
        <kbd>J</kbd> and <kbd>K</kbd> move, <kbd>X</kbd> selects, <kbd>Shift</kbd> selects a range, <kbd>Enter</kbd>{' '}
        opens, <kbd>C</kbd> compares.
      </p>
      {selected.length > 0 && (
        <SelectionBar slug={slug} selected={selected} total={total} onClear={() => select(boxes(), false)} />
      )}
    </div>
  )
}
