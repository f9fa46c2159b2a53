import type { z } from 'zod'

/** A type without `readonly` and `?`, through and through: what two of them lack of each other shows. */
type Whole<T> = T extends object ? { -readonly [Key in keyof T]-?: Whole<T[Key]> } : T
type AreAlike<One, Other> = [Whole<One>] extends [Whole<Other>]
  ? [Whole<Other>] extends [Whole<One>]
    ? true
    : false
  : false

/** A schema of exactly `T`: a field that either of the two lacks, or has otherwise, does not compile. */
export const schemaOf =
  <T>() =>
  <Schema extends z.ZodType<T>>(
    schema: Schema & (AreAlike<z.output<Schema>, T> extends true ? unknown : 'schema and type differ'),
  ): Schema =>
    schema

type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T
/** What a schema describes, to read and not to change. */
export type Described<Schema extends z.ZodType> = Frozen<z.output<Schema>>
