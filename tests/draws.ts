import fc from 'fast-check'

const times = Number(process.env['TAILBOARD_DRAWS'] ?? 1)

/** How many random cases a test draws, so many in `npm test`: `TAILBOARD_DRAWS=20` draws twenty times as many. */
export const draws = (count: number): number => Math.ceil(count * times)

// `npm test` draws the same cases each time: what fails in it comes from the change. `TAILBOARD_DRAWS` draws others.
if (process.env['TAILBOARD_DRAWS'] === undefined) fc.configureGlobal({ seed: 20_261_127 })
