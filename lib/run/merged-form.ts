/** Form of a run that was made of others. */
export const mergedForm = 'merged-runs'
