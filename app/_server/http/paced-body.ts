import { settings } from '../settings'
import { IncompleteBodyError, SlowBodyError } from './respond'

/** How long a body may take. */
export interface Pace {
  /** Longest wait for the next byte, in ms. */
  readonly idleMs: number
  /** Time over which the speed is measured, in ms; null: no minimum speed. */
  readonly slowMs: number | null
  /** When aborted, ends the wait for the next byte with its reason. */
  readonly signal?: AbortSignal
}

/**
 * A sender that knows its length is not waiting for a tool; if it is slower than this, it is broken, or holds us up.
 */
export const LEAST_BYTES_PER_SECOND = 1_000

/**
 * The body as it arrives; SlowBodyError if its sender goes silent or is slower than 1 kB/s. Only the time spent waiting
 * for the sender counts, never ours: while we read, it is held back. Throws IncompleteBodyError when the sender
 * vanishes.
 */
export async function* pacedBody(body: AsyncIterable<Uint8Array>, pace: Pace): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]()
  let waitedMs = 0
  let arrivedBytes = 0
  for (;;) {
    const leftMs = pace.slowMs === null ? Number.POSITIVE_INFINITY : pace.slowMs - waitedMs
    const startedMs = performance.now()
    const late = () =>
      leftMs < pace.idleMs && pace.slowMs !== null ? tooSlow(arrivedBytes, pace.slowMs) : silent(pace.idleMs)
    const result = await within(iterator.next(), Math.min(leftMs, pace.idleMs), late, pace.signal)
    if (result.done) return
    waitedMs += performance.now() - startedMs
    arrivedBytes += result.value.byteLength
    if (pace.slowMs !== null && arrivedBytes >= (LEAST_BYTES_PER_SECOND * pace.slowMs) / 1_000) {
      waitedMs = 0
      arrivedBytes = 0
    }
    yield result.value
  }
}

/**
 * The body of a request that is not an upload, so it existed before it was sent. Throws SlowBodyError,
 * IncompleteBodyError.
 */
export async function* readyBody(request: Request): AsyncGenerator<Uint8Array> {
  const { uploadSlowMs: slowMs } = settings()
  const body = request.body as unknown as AsyncIterable<Uint8Array> | null // a web stream of Node is async-iterable
  if (body !== null) yield* pacedBody(body, { idleMs: slowMs, slowMs })
}

/**
 * Rejects with `late()` when the step takes longer than `ms`, with the signal's reason when that is aborted; a step
 * that fails is a body that broke off.
 */
async function within<T>(step: Promise<T>, ms: number, late: () => SlowBodyError, signal?: AbortSignal): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  let stop: () => void = () => undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(0, ms))
    stop = () => reject(signal?.reason as Error)
    if (signal?.aborted === true) stop()
    signal?.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([step, limit])
  } catch (error) {
    if (error instanceof SlowBodyError || signal?.aborted === true) throw error
    const cause = error instanceof Error ? error.message : String(error)
    throw new IncompleteBodyError(`The upload ended before all of it arrived (${cause}).`)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

function silent(ms: number): SlowBodyError {
  return new SlowBodyError(`No byte arrived for ${duration(ms)}.`)
}

function tooSlow(bytes: number, ms: number): SlowBodyError {
  return new SlowBodyError(
    `Only ${bytes} bytes arrived in ${duration(ms)}, and more were to come; at least ${LEAST_BYTES_PER_SECOND / 1_000} kB/s is required.`,
  )
}

const duration = (ms: number): string =>
  ms >= 120_000 ? `${Math.round(ms / 60_000)} minutes` : `${Math.round(ms / 100) / 10} s`
