'use client'

import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { listHref } from './list-url'

interface Props {
  readonly path: string
  readonly className: string
  readonly children: ReactNode
}

/** A plain GET form for the list at a path; with scripts, a choice and a label take effect at once. */
export function FilterForm({ path, className, children }: Props) {
  const router = useRouter()
  const apply = (form: HTMLFormElement) => {
    const entries = [...new FormData(form)].map(([key, value]): [string, string] => [key, String(value)])
    router.push(listHref(path, new URLSearchParams(entries)))
  }
  return (
    <form
      action={path}
      className={className}
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        apply(event.currentTarget)
      }}
      onInput={({ target, currentTarget }) => {
        const isChoice = target instanceof HTMLInputElement && target.type === 'hidden' && target.name !== 'figure'
        if (isChoice) apply(currentTarget)
      }}
      onBlur={({ target, currentTarget }) => {
        const isLabel = target instanceof HTMLInputElement && target.name === 'label' && target.value !== ''
        if (isLabel) apply(currentTarget)
      }}
    >
      {children}
    </form>
  )
}
