import { useRouter } from 'next/navigation'
import { useState, type SyntheticEvent } from 'react'
import { sentenceOf, UnreachableError } from './call-api'
import { announce, announceFailure } from './toasts'

/** The requests of a form or a group of buttons to the server, one at a time, and their outcome. */
interface Action {
  readonly isBusy: boolean
  /** Why the last one failed; null: it did not fail, or there was none. */
  readonly problem: string | null
  /**
   * Does the work; returns whether it succeeded. What it throws is the problem. The page then shows the server's state.
   */
  act(work: () => Promise<unknown>): Promise<boolean>
}

interface Settings {
  /** The work opens another page: until that is there, no further action can start. */
  readonly leaves?: boolean
}

/** Shows its problem beside the form or the buttons. */
export function useAction(settings: Settings = {}): Action {
  const [problem, setProblem] = useState<string | null>(null)
  const { isBusy, act } = useWork((error) => setProblem(sentenceOf(error)), settings)
  return {
    isBusy,
    problem,
    act: (work) => {
      setProblem(null)
      return act(work)
    },
  }
}

/** Announces the work's result, or why it failed, in a toast. Null: the work announces itself. */
export function useAnnouncedAction(): {
  readonly isBusy: boolean
  act(work: () => Promise<string | null>): Promise<boolean>
} {
  const { isBusy, act } = useWork(announceFailure, {})
  return {
    isBusy,
    act: (work) =>
      act(async () => {
        const done = await work()
        if (done !== null) announce(done)
      }),
  }
}

function useWork(onFailure: (error: unknown) => void, { leaves = false }: Settings) {
  const router = useRouter()
  const [isBusy, setIsBusy] = useState(false)
  const act = async (work: () => Promise<unknown>): Promise<boolean> => {
    setIsBusy(true)
    try {
      await work()
      router.refresh()
      if (!leaves) setIsBusy(false)
      return true
    } catch (error) {
      onFailure(error)
      setIsBusy(false)
      // Refused: the page may be out of date. If the server is away, a refresh would lose the page.
      if (!(error instanceof UnreachableError)) router.refresh()
      return false
    }
  }
  return { isBusy, act }
}

/** The fields of a submitted form. */
export interface Fields {
  readonly data: FormData
  /** The text of a field, without spaces at its ends; empty: none, or there is no such field. */
  text(name: string): string
  /** The same; null if empty. */
  textOrNull(name: string): string | null
  /** Resets all fields to their initial values. */
  reset(): void
}

/** A form that sends a request to the server; `onSubmit` is the form's. */
export function useForm(send: (fields: Fields) => Promise<unknown>, settings: Settings = {}) {
  const { isBusy, problem, act } = useAction(settings)
  const onSubmit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const text = (name: string) => {
      const value = data.get(name)
      return typeof value === 'string' ? value.trim() : ''
    }
    const fields = { data, text, textOrNull: (name: string) => text(name) || null, reset: () => form.reset() }
    if (!isBusy) void act(() => send(fields))
  }
  return { isBusy, problem, onSubmit }
}
