/** The address of a current bundle in `dist`; null: there is none. */
export function findBundle(name: string): string | null
