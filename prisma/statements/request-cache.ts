import { AsyncLocalStorage } from 'node:async_hooks'
import type { Viewer } from '../../lib/viewer'

/** Answers already read in a request; null when it is over. */
interface Request {
  answers: Map<Viewer, Map<string, Promise<unknown>>> | null
}

declare global {
  // The server script and Next's bundles each have a copy of this module; only globalThis is shared.
  var tailboardRequestCache: AsyncLocalStorage<Request> | undefined
}

const storage = () => (globalThis.tailboardRequestCache ??= new AsyncLocalStorage())

/**
 * Until `work`, which shows one page, is done, `cachedInRequest` reads each answer once: a page checks a dozen times who
 * may see it.
 */
export async function withRequestCache(work: () => Promise<void>): Promise<void> {
  const request: Request = { answers: new Map() }
  try {
    await storage().run(request, work)
  } finally {
    // Work that it started in the background goes on, and reads again.
    request.answers = null
  }
}

/** The answer to `question` about a viewer; outside `withRequestCache`, and after a failure, it is read each time. */
export function cachedInRequest<Answer>(viewer: Viewer, question: string, ask: () => Promise<Answer>): Promise<Answer> {
  const answers = storage().getStore()?.answers
  if (!answers) return ask()
  const own = answers.get(viewer) ?? new Map<string, Promise<unknown>>()
  answers.set(viewer, own)
  // Only this function writes answers, and each question has one type of answer.
  const known = own.get(question) as Promise<Answer> | undefined
  if (known !== undefined) return known
  const answer = ask()
  own.set(question, answer)
  answer.catch(() => own.delete(question))
  return answer
}
