import { z } from 'zod'

/** The last entry of a backup: lists its contents. */
export const manifestSchema = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  /** Names of the migrations that made the tables. */
  migrations: z.array(z.string()),
  sequences: z.array(z.object({ name: z.string(), last: z.string() })),
  /** SHA-256 of each other entry, lower-case hex, by its name. */
  entries: z.record(z.string(), z.string()),
})
export type Manifest = z.infer<typeof manifestSchema>

/** The first line of an entry of rows. */
export const tableHeadSchema = z.object({ table: z.string(), columns: z.array(z.string()) })
