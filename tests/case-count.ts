import fc from 'fast-check'

const times = Number(process.env['TAILBOARD_CASES'] ?? 1)

/** The number of random cases of a test: as given in `npm test`, twenty times as many with `TAILBOARD_CASES=20`. */
export const caseCount = (count: number): number => Math.ceil(count * times)

// `npm test` always uses the same cases, so a failure comes from the change. `TAILBOARD_CASES` uses others.
if (process.env['TAILBOARD_CASES'] === undefined) fc.configureGlobal({ seed: 20_261_127 })
