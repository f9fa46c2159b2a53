import { useState } from 'react'
import { sentenceOf } from './call-api'

/** Something that a form or button asks of the server, and how it went. */
interface Attempts {
  /** Why the last attempt failed; null: it did not fail, or none was made. */
  readonly problem: string | null
  /** Does the work; whether it was done. What it throws is the problem. */
  attempt(work: () => Promise<unknown>): Promise<boolean>
}

/** Attempts of one form or group of buttons. */
export function useAttempts(): Attempts {
  const [problem, setProblem] = useState<string | null>(null)
  const attempt = async (work: () => Promise<unknown>) => {
    setProblem(null)
    try {
      await work()
      return true
    } catch (error) {
      setProblem(sentenceOf(error))
      return false
    }
  }
  return { problem, attempt }
}
