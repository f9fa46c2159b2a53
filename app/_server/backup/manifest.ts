import { z } from 'zod'

const rawFolder = 'raw/'
/** The name of a raw file's entry. */
export const rawEntry = (sha256: string): string => `${rawFolder}${sha256}`
export const isRaw = (entry: string): boolean => entry.startsWith(rawFolder)

const commonFields = {
  madeAt: z.string(),
  /** Names of the migrations that made the tables. */
  migrations: z.array(z.string()),
  sequences: z.array(z.object({ name: z.string(), last: z.string() })),
  /** SHA-256 of each other entry, lower-case hex, by its name. A raw file's is its name: format 2 only counts them. */
  entries: z.record(z.string(), z.string()),
}

/** The last entry of a backup: lists its contents. Format 1 named each raw file, too. */
export const manifestSchema = z
  .discriminatedUnion('format', [
    z.object({ format: z.literal(1), ...commonFields }),
    z.object({ format: z.literal(2), ...commonFields, rawFiles: z.int().nonnegative() }),
  ])
  .transform((read) => {
    if (read.format === 2) return read
    const own = Object.entries(read.entries).filter(([name]) => !isRaw(name))
    const rawFiles = Object.keys(read.entries).length - own.length
    return { ...read, format: 2 as const, entries: Object.fromEntries(own), rawFiles }
  })
export type Manifest = z.infer<typeof manifestSchema>

/** The first line of an entry of rows. */
export const tableHeadSchema = z.object({ table: z.string(), columns: z.array(z.string()) })
