import { describe, expect, it } from 'vitest'
import { caseCount } from '../../case-count'
import { isReached, noiseNames, promises, shareOf } from './promises'

/** `npm run bench:rounds` plays many more. */
describe.each(promises)('$name', (promised) => {
  it.each(noiseNames)('with %s noise', (noise) => {
    const { share, n } = shareOf(promised, noise, caseCount(40), 100_001)
    expect(isReached(promised, share, n), `${share} of ${n}`).toBe(true)
  })
})
