'use client'

import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useForm, type Fields as Values } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import { Fields, type FormField } from './fields'
import { useLeaveWarning } from './leave-warning'

interface Props {
  readonly method?: 'PATCH' | 'PUT'
  readonly url: string
  /** The body to send; `text`: the text of a field, without spaces at its ends. */
  readonly body: (text: Values['text']) => unknown
  /** The label of its button, and the message once it is done. */
  readonly words?: readonly [button: string, done: string]
  /** Of the fields and the button. */
  readonly className: string | undefined
  /** Above them. */
  readonly explain?: ReactNode
  readonly fields?: readonly FormField[]
  /** Fields that are no table; before the others. */
  readonly children?: ReactNode
}

/** A form of one setting, saved by its own button, which waits for a change; the outcome is shown beside it. */
export function SaveForm(props: Props) {
  const { method = 'PATCH', url, body, words = ['Save', 'Saved'], className, explain, fields = [], children } = props
  const form = useRef<HTMLFormElement>(null)
  const { isChanged, look, markSaved } = useChanges(form)
  const [isDone, setIsDone] = useState(false)
  const [button, done] = words
  const { isBusy, problem, onSubmit } = useForm(async ({ data, text }) => {
    setIsDone(false)
    await callApi(method, url, body(text))
    markSaved(data)
    setIsDone(true)
  })
  const onInput = () => {
    look()
    setIsDone(false)
  }
  return (
    <form ref={form} onSubmit={onSubmit} onInput={onInput}>
      {explain !== undefined && <p className="muted">{explain}</p>}
      <div className={className}>
        {children}
        <Fields of={fields} />
        <button type="submit" className="button" disabled={isBusy || !isChanged}>
          {button}
        </button>
        <span role="status" className={problem === null ? undefined : 'worse'}>
          {problem ?? (isDone && done)}
        </span>
      </div>
    </form>
  )
}

/** Whether the fields of a form differ from what is saved; while they do, leaving the site needs a confirmation. */
function useChanges(form: RefObject<HTMLFormElement | null>) {
  const saved = useRef('')
  const [isChanged, setIsChanged] = useState(false)
  useLeaveWarning(isChanged)
  const shown = () => (form.current === null ? '' : contentOf(new FormData(form.current)))
  useEffect(() => {
    if (form.current !== null) saved.current = contentOf(new FormData(form.current))
  }, [form])
  const look = () => setIsChanged(shown() !== saved.current)
  const markSaved = (sent: FormData) => {
    saved.current = contentOf(sent)
    look()
  }
  return { isChanged, look, markSaved }
}

const contentOf = (data: FormData): string =>
  new URLSearchParams([...data].map(([name, value]): [string, string] => [name, String(value)])).toString()
