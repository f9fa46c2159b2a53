import { BusyError } from './respond'

/** A kind of work of which this process does a few at once; the others wait for their turn, in order. */
export interface SlotKind {
  readonly name: string
  readonly maxAtOnce: number
  /** What is said to who waited too long: a sentence. */
  readonly busy: string
}

/** How long one waits for its turn, in ms. */
const patienceMs = 10_000

interface Slots {
  taken: number
  /** In order of their arrival. */
  readonly waiting: (() => void)[]
}

/** Stored on globalThis: each route of Next has its own copy of this module in one process. */
const key = Symbol.for('tailboard.workSlots')
function slotsOf({ name }: SlotKind): Slots {
  const holder = globalThis as { [key]?: Map<string, Slots> }
  const all = (holder[key] ??= new Map())
  const own = all.get(name) ?? { taken: 0, waiting: [] }
  all.set(name, own)
  return own
}

/** Does `work` when it is its turn. Throws BusyError when that takes longer than 10 s. */
export async function inSlot<T>(kind: SlotKind, work: () => Promise<T>, waitMs = patienceMs): Promise<T> {
  await takeSlot(kind, waitMs)
  try {
    return await work()
  } finally {
    const slots = slotsOf(kind)
    const next = slots.waiting.shift()
    // A slot goes from hand to hand: nobody who comes now is faster than who waits.
    if (next === undefined) slots.taken -= 1
    else next()
  }
}

async function takeSlot(kind: SlotKind, waitMs: number): Promise<void> {
  const slots = slotsOf(kind)
  if (slots.taken < kind.maxAtOnce) {
    slots.taken += 1
    return
  }
  await new Promise<void>((resolve, reject) => {
    const turn = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      slots.waiting.splice(slots.waiting.indexOf(turn), 1)
      reject(new BusyError(kind.busy, 5))
    }, waitMs)
    slots.waiting.push(turn)
  })
}
