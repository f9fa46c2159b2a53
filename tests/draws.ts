const times = Number(process.env['TAILBOARD_DRAWS'] ?? 1)

/** How many random cases a test draws, so many in `npm test`: `TAILBOARD_DRAWS=20` draws twenty times as many. */
export const draws = (count: number): number => Math.ceil(count * times)
