'use client'

import { useState, type ReactNode } from 'react'
import { useForm, type Fields } from '../ui/action'
import { callApi } from '../ui/call-api'

interface Props {
  readonly method?: 'PATCH' | 'PUT'
  readonly url: string
  /** The body to send; `text`: the text of a field, without spaces at its ends. */
  readonly body: (text: Fields['text']) => unknown
  /** The label of its button, and the message once it is done. */
  readonly words?: readonly [button: string, done: string]
  /** Of the fields and the button. */
  readonly className: string | undefined
  /** Above them. */
  readonly explain?: ReactNode
  readonly children: ReactNode
}

/** A form of one setting: the outcome of saving is shown beside its button. */
export function SaveForm({
  method = 'PATCH',
  url,
  body,
  words = ['Save', 'Saved'],
  className,
  explain,
  children,
}: Props) {
  const [isDone, setIsDone] = useState(false)
  const [button, done] = words
  const { isBusy, problem, onSubmit } = useForm(async ({ text }) => {
    setIsDone(false)
    await callApi(method, url, body(text))
    setIsDone(true)
  })
  return (
    <form onSubmit={onSubmit}>
      {explain !== undefined && <p className="muted">{explain}</p>}
      <div className={className}>
        {children}
        <button type="submit" className="button" disabled={isBusy}>
          {button}
        </button>
        <span role="status" className={problem === null ? undefined : 'worse'}>
          {problem ?? (isDone && done)}
        </span>
      </div>
    </form>
  )
}
