import { bytesOf } from './read-carried'
import type { ImportProblem } from '../../lib/run/run'
import type { Bytes } from '../importer'
import { decodeHead } from '../text/text-head'
import { warningAt } from '../import-problem'

/** How headings of rows begin: the name of their first column. */
const firstColumns = [
  'response-time',
  'request-start',
  'metric_name',
  'duration (ms)',
  'timeStamp',
  '@timestamp',
  '@requestId',
  '@message',
  '@duration',
  'Type',
  'Timestamp',
  'Percentage served',
  'starttime',
]
/** The beginnings of reports that are one JSON object. */
const firstKeys = ['{"latencies":{', '{"attack":']

/**
 * The beginning of a file with the first character that is easily missed when copying; null: no known one is missing.
 * The caller must check whether an importer owns such a file.
 */
export function withFirstCharacter(head: Uint8Array): { readonly first: string; readonly head: Uint8Array } | null {
  const text = decodeHead(head, 64)
  const column = firstColumns.find(
    (name) => text.startsWith(name.slice(1)) && /[,;\t|]/.test(text.charAt(name.length - 1)),
  )
  const found = column ?? firstKeys.find((key) => text.startsWith(key.slice(1)))
  if (found === undefined) return null
  const first = found.slice(0, 1)
  const whole = new Uint8Array(head.length + 1)
  whole.set([first.charCodeAt(0)])
  whole.set(head, 1)
  return { first, head: whole }
}

/** Reported with the runs of such a file: nothing else shows that it is not as the tool wrote it. */
export const missingCharacterProblem = (first: string): ImportProblem =>
  warningAt(
    'corrected',
    1,
    `the first character is missing: the file was read as if it began with “${first}”`,
    'Upload the file as the tool wrote it.',
  )

/** The file with that character. */
export async function* prefixed(first: string, bytes: Bytes): AsyncGenerator<Uint8Array> {
  yield* bytesOf(first)
  yield* bytes
}
