import type { ExpansionBudget } from '@/importers/carriers/expansion-budget'
import type { Compression, StreamFaults } from '@/importers/carriers/unpacker'
import type { Bytes } from '@/importers/importer'
import { ImportError } from '@/lib/errors'
import { createInflater, InflateError, windows } from './inflate'

/** The expanded bytes of a gzip stream, all its members: what the `Unpacker` of a browser does for `expand`. */
export async function* expandGzip(
  bytes: Bytes,
  kind: Compression,
  budget: ExpansionBudget,
  faults: StreamFaults,
): AsyncGenerator<Uint8Array> {
  let packedBytes = 0
  let expandedBytes = 0
  let member = createInflater(windows.gzip)
  let members = 0
  /** Where the member began; null: it has ended, and nothing follows yet. */
  let from: number | null = 0
  let isOver = false
  for await (const chunk of bytes) {
    let rest: Uint8Array | null = chunk
    packedBytes += chunk.length
    while (!isOver && rest !== null && rest.length > 0) {
      if (from === null) {
        // Zeros pad it, as on a tape.
        if (rest[0] === 0) isOver = true
        from = packedBytes - rest.length
        member = createInflater(windows.gzip)
      }
      if (isOver) break
      const pushed = push(member, rest)
      if (pushed instanceof InflateError) {
        if (members === 0 || pushed.message !== 'incorrect header check')
          throw damaged(kind, pushed.message, packedBytes)
        faults.trailingFrom = from
        isOver = true
        break
      }
      for (const part of pushed.parts) {
        expandedBytes += part.length
        budget.spend(part.length, { packedBytes, expandedBytes })
        yield part
      }
      rest = pushed.rest
      if (rest !== null) {
        members += 1
        from = null
      }
    }
  }
  if (!isOver && from !== null) faults.isTruncated = true
}

function push(member: ReturnType<typeof createInflater>, bytes: Uint8Array) {
  try {
    return member.push(bytes)
  } catch (error) {
    if (error instanceof InflateError) return error
    throw error
  }
}

const damaged = (kind: string, what: string, offset: number): ImportError =>
  new ImportError('malformed', `the ${kind} file is damaged (${what})`, {
    offset,
    hint: `Check it with "${kind} -t FILE" and send it again.`,
  })
