import type { z } from 'zod'

/** A type without `readonly` and `?` at any depth, so that two types can be compared for missing fields. */
type Whole<T> = T extends object ? { -readonly [Key in keyof T]-?: Whole<T[Key]> } : T
type AreAlike<One, Other> = [Whole<One>] extends [Whole<Other>]
  ? [Whole<Other>] extends [Whole<One>]
    ? true
    : false
  : false

/** A schema of exactly `T`: a field that is missing from or different in either one does not compile. */
export const schemaOf =
  <T>() =>
  <Schema extends z.ZodType<T>>(
    schema: Schema & (AreAlike<z.output<Schema>, T> extends true ? unknown : 'schema and type differ'),
  ): Schema =>
    schema

type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T
/** The type that a schema describes, read-only. */
export type Described<Schema extends z.ZodType> = Frozen<z.output<Schema>>
