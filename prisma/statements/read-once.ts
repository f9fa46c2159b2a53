import type { Viewer } from '../../lib/viewer'

interface Reading {
  readonly readAtMs: number
  readonly answer: Promise<unknown>
}

/** A right that is taken away ends this soon for requests that are already in progress. */
const trustedMs = 1_000

const readings = new WeakMap<Viewer, Map<string, Reading>>()

/**
 * Lets the queries of one request, whose own this viewer is, share what they read about it: a page needs it a dozen
 * times.
 */
export function shareReadings<V extends Viewer>(viewer: V): V {
  readings.set(viewer, new Map())
  return viewer
}

/** The next query reads again. */
export const forgetReadings = (viewer: Viewer): void => readings.get(viewer)?.clear()

/**
 * The answer to `question` about a viewer, read once a second for the viewer of a request, and each time for any other
 * viewer and after a failure.
 */
export function readOnce<Answer>(viewer: Viewer, question: string, ask: () => Promise<Answer>): Promise<Answer> {
  const own = readings.get(viewer)
  if (own === undefined) return ask()
  const known = own.get(question)
  // Only this function writes answers, and each question has one type of answer.
  if (known !== undefined && performance.now() - known.readAtMs < trustedMs) return known.answer as Promise<Answer>
  const reading = { readAtMs: performance.now(), answer: ask() }
  own.set(question, reading)
  reading.answer.catch(() => {
    if (own.get(question) === reading) own.delete(question)
  })
  return reading.answer
}
