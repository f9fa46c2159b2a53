import { BusyError } from './respond'

/** A kind of work that this process does a few at a time; further ones wait for their turn, in order. */
export interface SlotKind {
  readonly name: string
  readonly maxAtOnce: number
  /** The sentence for a client that waited too long. */
  readonly busy: string
}

/** How long a request waits for its turn, in ms. */
const patienceMs = 10_000
/** Longest time after which a client is asked to retry, in seconds: by then it is another queue. */
const longestRetrySeconds = 300

interface Slots {
  /** Turns in progress, and when they began, by a clock that never jumps. */
  readonly taken: Set<{ readonly beganAtMs: number }>
  /** In order of their arrival. */
  readonly waiting: (() => void)[]
  /** How long recent turns took; null: none has ended yet. */
  turnMs: number | null
}

/** Stored on globalThis: each route of Next has its own copy of this module in one process. */
const key = Symbol.for('tailboard.workSlots')
function slotsOf({ name }: SlotKind): Slots {
  const holder = globalThis as { [key]?: Map<string, Slots> }
  const all = (holder[key] ??= new Map())
  const own = all.get(name) ?? { taken: new Set(), waiting: [], turnMs: null }
  all.set(name, own)
  return own
}

/** Does `work` when its turn comes. Throws BusyError when that takes longer than 10 s. */
export async function inSlot<T>(kind: SlotKind, work: () => Promise<T>, waitMs = patienceMs): Promise<T> {
  const end = await takeTurn(kind, waitMs)
  try {
    return await work()
  } finally {
    end()
  }
}

/**
 * Resolves when the caller's turn comes, with a function that ends it; calling that again does nothing. Throws
 * BusyError when that takes longer than 10 s.
 */
export async function takeTurn(kind: SlotKind, waitMs = patienceMs): Promise<() => void> {
  const slots = slotsOf(kind)
  if (slots.taken.size < kind.maxAtOnce) return beginTurn(slots)
  return new Promise((resolve, reject) => {
    const begin = () => {
      clearTimeout(timer)
      resolve(beginTurn(slots))
    }
    const timer = setTimeout(() => {
      slots.waiting.splice(slots.waiting.indexOf(begin), 1)
      reject(new BusyError(kind.busy, retrySeconds(kind, slots)))
    }, waitMs)
    slots.waiting.push(begin)
  })
}

function beginTurn(slots: Slots): () => void {
  const turn = { beganAtMs: performance.now() }
  slots.taken.add(turn)
  return () => {
    if (!slots.taken.delete(turn)) return
    const ms = performance.now() - turn.beganAtMs
    slots.turnMs = slots.turnMs === null ? ms : slots.turnMs + (ms - slots.turnMs) / 8
    // A slot passes directly to the next in line: a newcomer cannot overtake.
    slots.waiting.shift()?.()
  }
}

/** Seconds until a newcomer's turn, from how many wait and how long turns take. */
function retrySeconds({ maxAtOnce }: SlotKind, { taken, waiting, turnMs }: Slots): number {
  const now = performance.now()
  // A turn in progress may already have taken longer than those that ended.
  const agesMs = [...taken].reduce((sum, { beganAtMs }) => sum + now - beganAtMs, 0) / Math.max(1, taken.size)
  const seconds = ((waiting.length + 1) * Math.max(agesMs, turnMs ?? 0)) / maxAtOnce / 1_000
  return Math.min(longestRetrySeconds, Math.max(1, Math.ceil(seconds)))
}
