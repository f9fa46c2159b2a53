/** What a column of a user's own samples may be. */
export const mappedFields = ['latency', 'time', 'status', 'error', 'bytes', 'label'] as const
export type MappedField = (typeof mappedFields)[number]
