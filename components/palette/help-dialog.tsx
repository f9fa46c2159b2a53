'use client'

import { useEffect, useRef, type ReactNode } from 'react'
import styles from './palette.module.css'

/** The keys of the frame, lists and charts. `isMac`: the command key is ⌘. */
export function HelpDialog({ isMac, onClose }: { isMac: boolean; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className={`text ${styles.dialog}`} aria-labelledby="shortcuts-title" onClose={onClose}>
      <div className={styles.help}>
        <h2 id="shortcuts-title">Keyboard shortcuts</h2>
        <dl className={styles.shortcuts}>
          <Shortcut keys={[isMac ? '⌘' : 'Ctrl', 'K']}>Find pages, runs, comparisons and actions</Shortcut>
          <Shortcut keys={['/']}>Search the list on the page; without a list, the same as above</Shortcut>
          <Shortcut keys={['U']}>Upload output</Shortcut>
          <Shortcut keys={['J', 'K']}>Next and previous run of a list; Enter opens it</Shortcut>
          <Shortcut keys={['X']}>Select the run, with Shift all up to it</Shortcut>
          <Shortcut keys={['C']}>Compare what is selected</Shortcut>
          <Shortcut keys={['E']}>Edit the run</Shortcut>
          <Shortcut keys={['.']}>Show the runs that came since the page was opened</Shortcut>
          <Shortcut keys={['Z']}>Undo what was just done</Shortcut>
          <Shortcut keys={['?']}>Show these shortcuts</Shortcut>
          <Shortcut keys={['Esc']}>Close the dialog</Shortcut>
        </dl>
        <h3>In a chart over time</h3>
        <dl className={styles.shortcuts}>
          <Shortcut keys={['Left', 'Right']}>Read the previous and next values</Shortcut>
          <Shortcut keys={['Home', 'End']}>Read the first and the last values</Shortcut>
        </dl>
        <h3>Anywhere</h3>
        <dl className={styles.shortcuts}>
          <Shortcut keys={[isMac ? '⌘' : 'Ctrl', 'V']}>Upload output from the clipboard</Shortcut>
        </dl>
        <form method="dialog">
          <button type="submit" className="button" autoFocus>
            Close
          </button>
        </form>
      </div>
    </dialog>
  )
}

function Shortcut({ keys, children }: { readonly keys: readonly string[]; readonly children: ReactNode }) {
  return (
    <>
      <dt>
        {keys.map((key, at) => (
          <span key={key}>
            {at > 0 && ' '}
            <kbd>{key}</kbd>
          </span>
        ))}
      </dt>
      <dd>{children}</dd>
    </>
  )
}
