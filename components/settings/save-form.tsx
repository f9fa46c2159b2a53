'use client'

import { useRouter } from 'next/navigation'
import { useState, type ReactNode, type SyntheticEvent } from 'react'
import { callApi, sentenceOf } from '../ui/call-api'

interface Props {
  readonly method?: 'PATCH' | 'PUT'
  readonly url: string
  /** What is sent; `text`: what a field holds, without spaces at its ends. */
  readonly body: (text: (name: string) => string) => unknown
  /** What its button says, and what is said once it is done. */
  readonly words?: readonly [button: string, done: string]
  /** Of the fields and the button. */
  readonly className: string | undefined
  /** Above them. */
  readonly explain?: ReactNode
  readonly children: ReactNode
}

/** A form of one setting: how saving it went is said beside its button. */
export function SaveForm({
  method = 'PATCH',
  url,
  body,
  words = ['Save', 'Saved'],
  className,
  explain,
  children,
}: Props) {
  const router = useRouter()
  const [said, setSaid] = useState<string | null>(null)
  const [button, done] = words
  const save = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => {
      const value = form.get(name)
      return typeof value === 'string' ? value.trim() : ''
    }
    try {
      await callApi(method, url, body(text))
      setSaid(done)
      router.refresh()
    } catch (error) {
      setSaid(sentenceOf(error))
    }
  }
  return (
    <form onSubmit={(event) => void save(event)}>
      {explain !== undefined && <p className="muted">{explain}</p>}
      <div className={className}>
        {children}
        <button type="submit" className="button">
          {button}
        </button>
        <span role="status">{said}</span>
      </div>
    </form>
  )
}
