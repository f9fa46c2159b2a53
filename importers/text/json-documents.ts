import { ImportError } from '../../lib/errors'
import type { Bytes } from '../importer'
import { openText } from './bytes'

/** Larger reports do not exist: a list of a million calls is a third of it. */
const maxBytes = 256 * 1024 * 1024
/** Texts before a document that look like the beginning of one. */
const maxFalseStarts = 1_000

/** One JSON value of a file, and the line at which it begins. */
export interface JsonDocument {
  readonly value: unknown
  /** 1-based. */
  readonly line: number
}

/**
 * Reads the JSON values of a file that follow one another (a loop that appends its reports to one file), each an object
 * or a list, in any layout; lines of a log before and between them are stepped over. `isCut`: the last one has no end.
 * `tool` prints them: a refusal names it.
 * @throws ImportError `truncated` when no value is whole, `too-large` beyond 256 MiB.
 */
export async function readJsonDocuments(
  bytes: Bytes,
  tool: string,
  hint: string,
): Promise<{ readonly documents: readonly JsonDocument[]; readonly isCut: boolean }> {
  const text = await readText(bytes, tool)
  const documents: JsonDocument[] = []
  let at = 0
  let line = 1
  let countedTo = 0
  let isCut = false
  for (let falseStarts = 0; falseStarts < maxFalseStarts;) {
    const start = findStart(text, at)
    if (start < 0) break
    const end = findEnd(text, start)
    const value = end < 0 ? undefined : parse(text.slice(start, end))
    line += countLines(text, countedTo, start)
    countedTo = start
    if (value === undefined) {
      falseStarts++
      isCut = end < 0
      at = text.indexOf('\n', start) + 1
      if (at === 0) break
      continue
    }
    isCut = false
    documents.push({ value, line })
    at = end
  }
  if (documents.length === 0)
    throw new ImportError('truncated', `${tool}'s JSON ends before its last bracket: nothing of it can be read`, {
      line: 1,
      hint,
    })
  return { documents, isCut }
}

async function readText(bytes: Bytes, tool: string): Promise<string> {
  const { bytes: utf8 } = await openText(bytes)
  const decoder = new TextDecoder()
  const parts: string[] = []
  let size = 0
  for await (const chunk of utf8) {
    size += chunk.length
    if (size > maxBytes)
      throw new ImportError('too-large', `${tool}'s JSON is larger than 256 MiB`, {
        offset: maxBytes,
        hint: 'Upload a shorter run.',
      })
    parts.push(decoder.decode(chunk, { stream: true }))
  }
  return parts.join('') + decoder.decode()
}

/** Where an object or a list of objects may begin: first in its line, and with what stands first in one. */
function findStart(text: string, from: number): number {
  const pattern = /(?:^|(?<=[\]}])|\n)[ \t\r]{0,100}(?=\{\s*["}]|\[\s*[{\]])/g
  pattern.lastIndex = from
  const found = pattern.exec(text)
  return found === null ? -1 : found.index + found[0].length
}

/** Where the value ends that begins at `start`, −1 when it has no end. */
function findEnd(text: string, start: number): number {
  const brackets = /["{}[\]]/g
  brackets.lastIndex = start
  let depth = 0
  for (let found = brackets.exec(text); found !== null; found = brackets.exec(text)) {
    const [character] = found
    if (character === '"') {
      const end = endOfString(text, found.index + 1)
      if (end < 0) return -1
      brackets.lastIndex = end
    } else if (character === '{' || character === '[') depth++
    else if (--depth === 0) return found.index + 1
  }
  return -1
}

function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text[at - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return at + 1
  }
  return -1
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
