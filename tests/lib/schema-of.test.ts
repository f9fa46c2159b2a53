import { expect, it } from 'vitest'
import { z } from 'zod'
import { schemaOf } from '@/lib/schema-of'

interface Thing {
  readonly id: string
  readonly parts: readonly { readonly name: string | null; readonly note?: string | undefined }[]
}
const part = z.object({ name: z.string().nullable(), note: z.string().optional() })
const thing = z.object({ id: z.string(), parts: z.array(part) })

// Lines that must not compile are marked: the type check fails if they do.
it('accepts a schema of exactly its type', () => {
  expect(schemaOf<Thing>()(thing)).toBe(thing)
  // @ts-expect-error: the type has no `more`
  schemaOf<Thing>()(thing.extend({ more: z.string() }))
  // @ts-expect-error: the type has no `more`, which may be absent
  schemaOf<Thing>()(thing.extend({ more: z.string().optional() }))
  // @ts-expect-error: the type has parts
  schemaOf<Thing>()(thing.omit({ parts: true }))
  // @ts-expect-error: a part has a note, which may be absent
  schemaOf<Thing>()(thing.extend({ parts: z.array(part.omit({ note: true })) }))
  // @ts-expect-error: a name may be null
  schemaOf<Thing>()(thing.extend({ parts: z.array(part.extend({ name: z.string() })) }))
  // @ts-expect-error: an id is a text
  schemaOf<Thing>()(thing.extend({ id: z.number() }))
})
