import { useState } from 'react'
import { readPair } from '@/lib/text'
import { Combobox } from '../../forms/combobox'
import type { NameOptions } from './preview-edits'
import styles from './draft-form.module.css'

interface SetFieldProps {
  readonly what: string
  readonly options: NameOptions['scenario']
  onSet(value: string): void
}

/** A field that sets a name or label of all runs, on Enter or when it is left. */
export function SetField({ what, options, onSet }: SetFieldProps) {
  const [text, setText] = useState('')
  const finish = () => {
    const value = text.trim()
    // Half a label does not count: `commit` alone would set an empty one.
    if (value === '' || (what === 'label' && readPair(value) === null)) return
    onSet(value)
    setText('')
  }
  return (
    <Combobox
      className={styles.value ?? ''}
      aria-label={`${what} for all runs`}
      noun={what}
      options={options}
      placeholder={what === 'label' ? 'label=value' : what}
      value={text}
      maxLength={what === 'label' ? 301 : 200}
      onChange={setText}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) finish()
      }}
      onBlur={finish}
    />
  )
}
