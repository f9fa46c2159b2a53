/**
 * What vegeta-gob.ts needs of Go's encoding/gob (https://pkg.go.dev/encoding/gob#hdr-Encoding_Details): whole numbers,
 * and the definition of a struct.
 */

/** Ids of the basic types. */
export const gobKinds = { bool: 1, int: 2, uint: 3, float: 4, bytes: 5, string: 6 } as const

/** A struct's definition: its id, and its fields in order. */
export interface GobStruct {
  readonly name: string
  readonly id: number
  readonly fields: readonly { readonly name: string; readonly type: number }[]
}

/** Invalid gob bytes, at `offset` of those read. */
export class GobError extends Error {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.name = 'GobError'
    this.offset = offset
  }
}

/** Reads numbers and strings of a message that ends at `end`. Throws GobError beyond it. */
export class GobReader {
  constructor(
    private readonly bytes: Uint8Array,
    public at: number,
    private readonly end: number,
  ) {}

  unsigned(): number {
    const first = this.byte()
    if (first < 128) return first
    const length = 256 - first
    if (length > 8) throw new GobError('a number of more than eight bytes', this.at)
    let value = 0
    for (let index = 0; index < length; index++) value = value * 256 + this.byte()
    return value
  }

  signed(): number {
    const value = this.unsigned()
    const half = Math.floor(value / 2)
    return value % 2 === 1 ? -1 - half : half
  }

  string(): string {
    return new TextDecoder().decode(this.take())
  }

  /** The bytes of a string or byte slice. */
  take(): Uint8Array {
    const length = this.unsigned()
    if (length > this.end - this.at) throw new GobError('a text beyond the end of its message', this.at)
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  private byte(): number {
    const byte = this.at < this.end ? this.bytes[this.at] : undefined
    if (byte === undefined) throw new GobError('a message ends within a value', this.at)
    this.at++
    return byte
  }
}

/**
 * Reads a type definition, after its id. Null: it defines something other than a struct. Throws GobError for an invalid
 * definition.
 */
export function readStruct(reader: GobReader): GobStruct | null {
  // wireType: exactly one of array, slice, struct, map, … is present. The third is the struct.
  if (reader.unsigned() !== 3) return null
  let name = ''
  let id = 0
  const fields: { name: string; type: number }[] = []
  for (let field = reader.unsigned(), at = 0; field !== 0; field = reader.unsigned()) {
    at += field
    if (at === 1) {
      const common = readNamed(reader)
      name = common.name
      id = common.type
    } else if (at === 2) {
      const count = reader.unsigned()
      if (count > 100) throw new GobError('a struct of more than 100 fields', reader.at)
      for (let index = 0; index < count; index++) fields.push(readNamed(reader))
    } else throw new GobError('an unknown part of a type definition', reader.at)
  }
  return { name, id, fields }
}

/** A name and the id of a type: both a type's head and a field are defined this way. */
function readNamed(reader: GobReader): { name: string; type: number } {
  let name = ''
  let type = 0
  for (let field = reader.unsigned(), at = 0; field !== 0; field = reader.unsigned()) {
    at += field
    if (at === 1) name = reader.string()
    else if (at === 2) type = reader.signed()
    else throw new GobError('an unknown part of a type definition', reader.at)
  }
  return { name, type }
}
