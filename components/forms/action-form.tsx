'use client'

import { useId, type ReactNode } from 'react'
import { useForm, type Fields as Values } from '../ui/actions/action'
import { Fields, type FormField } from './fields'

interface Props {
  readonly className?: string | undefined
  /** For screen readers. */
  readonly label?: string
  /** Above the fields. */
  readonly head?: ReactNode
  readonly fields: readonly FormField[]
  /** Around the fields; absent: each is in line with what follows. */
  readonly fieldsClass?: string | undefined
  /** Of the label of each field. */
  readonly labelClass?: string | undefined
  /** Between the fields and the button. */
  readonly children?: ReactNode
  readonly button: string
  readonly tone?: 'primary' | 'plain' | 'danger'
  /** The button waits for something else. */
  readonly isHeld?: boolean
  /** Of the line of buttons; absent: they are in line with the fields. */
  readonly buttonsClass?: string | undefined
  onCancel?(): void
  /** Sending it opens another page. */
  readonly leaves?: boolean
  /** What the last one did; null: nothing to say. */
  readonly done?: string | null
  send(values: Values): Promise<unknown>
}

const tones = { primary: 'button button-primary', plain: 'button', danger: 'button button-danger' }

/** A form: its fields, the button that sends it, and why it was refused. */
export function ActionForm(props: Props) {
  const {
    className,
    label,
    head,
    fields,
    fieldsClass,
    labelClass,
    children,
    buttonsClass,
    leaves = false,
    send,
  } = props
  const { button, tone = 'primary', isHeld = false, onCancel, done = null } = props
  const problemId = useId()
  const { isBusy, problem, onSubmit } = useForm(send, { leaves })
  const shown = <Fields of={fields} labelClass={labelClass} problemId={problemId} isRefused={problem !== null} />
  const buttons = (
    <>
      <button type="submit" className={tones[tone]} disabled={isBusy || isHeld}>
        {button}
      </button>
      {onCancel && (
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
      )}
      <span id={problemId} role="status" className={problem === null ? undefined : 'worse'}>
        {problem ?? done}
      </span>
    </>
  )
  return (
    <form className={className} aria-label={label} onSubmit={onSubmit}>
      {head}
      {fieldsClass === undefined ? shown : <div className={fieldsClass}>{shown}</div>}
      {children}
      {buttonsClass === undefined ? buttons : <div className={buttonsClass}>{buttons}</div>}
    </form>
  )
}
