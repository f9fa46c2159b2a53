/** What a plan may ask for. */
export const planLimits = { leastRounds: 6, mostRounds: 60, leastRatio: 0.001, mostRatio: 1 } as const
