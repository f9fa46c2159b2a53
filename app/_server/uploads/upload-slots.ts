import { BusyError } from '../http/respond'

/** Uploads that are received and read at the same time; each may hold a thread. */
const maxAtOnce = 20
/** How long the next one waits for its turn. */
const patienceMs = 10_000

interface Slots {
  taken: number
  /** In order of their arrival. */
  readonly waiting: (() => void)[]
}

/** Stored on globalThis: each route of Next has its own copy of this module in one process. */
const key = Symbol.for('tailboard.uploadSlots')
function slots(): Slots {
  const holder = globalThis as { [key]?: Slots }
  return (holder[key] ??= { taken: 0, waiting: [] })
}

/** Does `work` when fewer than 20 uploads are in progress. Throws BusyError when that takes longer than 10 s. */
export async function inUploadSlot<T>(work: () => Promise<T>, waitMs = patienceMs): Promise<T> {
  await takeSlot(waitMs)
  try {
    return await work()
  } finally {
    const next = slots().waiting.shift()
    // A slot goes from hand to hand: nobody who comes now is faster than who waits.
    if (next === undefined) slots().taken -= 1
    else next()
  }
}

async function takeSlot(waitMs: number): Promise<void> {
  const all = slots()
  if (all.taken < maxAtOnce) {
    all.taken += 1
    return
  }
  await new Promise<void>((resolve, reject) => {
    const turn = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      all.waiting.splice(all.waiting.indexOf(turn), 1)
      reject(new BusyError(`${maxAtOnce} uploads are in progress.`, 5))
    }, waitMs)
    all.waiting.push(turn)
  })
}
