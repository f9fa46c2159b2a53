import { logGamma } from './distributions'

const logChoose = (of: number, count: number): number =>
  logGamma(of + 1) - logGamma(count + 1) - logGamma(of - count + 1)

/**
 * Fisher's exact test, two-sided as twice the smaller tail: how likely so many, or so few, of `drawn` of `all` rows would
 * have a value that `marked` of all have, if they were drawn by chance. 0…1.
 */
export function drawnShareP(found: number, drawn: number, marked: number, all: number): number {
  const expected = (drawn * marked) / Math.max(all, 1)
  const step = found >= expected ? 1 : -1
  const last = step > 0 ? Math.min(drawn, marked) : Math.max(0, drawn + marked - all)
  let chance = Math.exp(logChoose(marked, found) + logChoose(all - marked, drawn - found) - logChoose(all, drawn))
  let tail = chance
  // Away from what is expected each count is rarer than the one before.
  for (let count = found; count !== last && chance > tail * 1e-12; count += step) {
    const [up, down] = [(marked - count) * (drawn - count), (count + 1) * (all - marked - drawn + count + 1)]
    chance *=
      step > 0 ? up / down : (count * (all - marked - drawn + count)) / ((marked - count + 1) * (drawn - count + 1))
    tail += chance
  }
  return Math.min(1, 2 * tail)
}
