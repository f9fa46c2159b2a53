import type { z } from 'zod'
import { ImportError } from '../../lib/errors'
import type { ImportProblem } from '../../lib/run/run'
import { problemOf } from '../import-problem'
import type { Bytes } from '../importer'
import { describeIssue, findJsonFault, parseJson, refuseJson } from '../json-fault'
import { openText, type TextEncoding } from './bytes'

/** No report is larger: a list of a million calls is a third of this. */
const maxBytes = 256 * 1024 * 1024
/** Most texts before a document that look like the beginning of one. */
const maxFalseStarts = 1_000
const maxFaults = 100

/** One JSON value of a file, and the line at which it begins. */
export interface JsonDocument {
  readonly value: unknown
  /** The text it was parsed from. */
  readonly text: string
  /** 1-based. */
  readonly line: number
}

/** The expected content of a JSON file. */
export interface JsonDocumentForm {
  /** As in "this is …": `oha's JSON`. */
  readonly name: string
  readonly hint: string
  /** Invalid JSON is reported if it contains this: it is the tool's, not a line of a log. */
  readonly telling: RegExp
}

/**
 * Reads the consecutive JSON values of a file (a loop that appends its reports to one file), each an object or a list,
 * in any layout; log lines before and between them are skipped. `isTruncated`: the last one has no end. `problems`:
 * values that are not valid JSON.
 * @throws ImportError `malformed` or `truncated` when no value is complete, `too-large` beyond 256 MiB.
 */
export async function readJsonDocuments(
  bytes: Bytes,
  { name, hint, telling }: JsonDocumentForm,
): Promise<{
  readonly documents: readonly JsonDocument[]
  readonly problems: readonly ImportProblem[]
  readonly isTruncated: boolean
}> {
  const { text } = await readJsonText(bytes, name)
  const faults: ImportError[] = []
  const documents: JsonDocument[] = []
  let at = 0
  let line = 1
  let countedTo = 0
  let isTruncated = false
  for (let falseStarts = 0; falseStarts < maxFalseStarts;) {
    const start = findStart(text, at)
    if (start < 0) break
    const end = endOfJsonValue(text, start)
    const own = end < 0 ? '' : text.slice(start, end)
    const fault = end < 0 || !telling.test(own) ? null : findJsonFault(own)
    const value = end < 0 || fault !== null ? undefined : parseJson(own)
    line += countLines(text, countedTo, start)
    countedTo = start
    if (value === undefined) {
      falseStarts++
      isTruncated = end < 0
      if (fault !== null) {
        if (faults.length < maxFaults) faults.push(refuseJson(name, fault, line, hint))
        at = end
        continue
      }
      at = text.indexOf('\n', start) + 1
      if (at === 0) break
      continue
    }
    isTruncated = false
    documents.push({ value, text: own, line })
    at = end
  }
  const [fault] = faults
  if (documents.length === 0 && fault !== undefined) throw fault
  if (documents.length === 0)
    throw new ImportError('truncated', `${name} ends before its last bracket: none of it can be read`, {
      line: 1,
      hint,
    })
  return { documents, problems: faults.map((fault) => problemOf(fault)), isTruncated }
}

/**
 * Reads a whole JSON file; `what` names it.
 * @throws ImportError `too-large` beyond 256 MiB.
 */
export async function readJsonText(
  bytes: Bytes,
  what: string,
): Promise<{ readonly text: string; readonly encoding: TextEncoding }> {
  const { bytes: utf8, encoding } = await openText(bytes)
  const decoder = new TextDecoder()
  const parts: string[] = []
  let size = 0
  for await (const chunk of utf8) {
    size += chunk.length
    if (size > maxBytes)
      throw new ImportError('too-large', `${what} is larger than 256 MiB`, {
        offset: maxBytes,
        hint: 'Upload a shorter run.',
      })
    parts.push(decoder.decode(chunk, { stream: true }))
  }
  return { text: parts.join('') + decoder.decode(), encoding }
}

/** Why a valid JSON value is not in its tool's format; none if it is not the tool's. */
export function refuseDocument(
  { name, hint, telling }: JsonDocumentForm,
  { value, text, line }: JsonDocument,
  error: z.ZodError,
): readonly ImportError[] {
  return telling.test(text) ? [refuseJson(name, describeIssue(error, value, text), line, hint)] : []
}

/** Where an object or a list of objects may begin: first on its line, followed by what can be first in one. */
function findStart(text: string, from: number): number {
  const pattern = /(?:^|(?<=[\]}])|\n)[ \t\r]{0,100}(?=\{\s*["}]|\[\s*[{\]])/g
  pattern.lastIndex = from
  const found = pattern.exec(text)
  return found === null ? -1 : found.index + found[0].length
}

/** Line feeds between two places of a text. */
export function countLines(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** A member of an object, or an element of a list, that is itself an object or a list. */
export interface JsonMember {
  /** Its key as written, without quotes; null in a list. */
  readonly key: string | null
  readonly start: number
  /** Position after its last bracket; −1: it has none. */
  readonly end: number
}

/**
 * Lists the objects and lists directly inside the value whose bracket is at `start`, at most `most` of them. Nothing is
 * parsed: a text that ends too early gives those that begin in it. `end` as for a member.
 */
export function listJsonMembers(
  text: string,
  start: number,
  most = Infinity,
): { readonly members: readonly JsonMember[]; readonly end: number } {
  const members: JsonMember[] = []
  const isObject = text[start] === '{'
  let key: string | null = null
  const marks = /["{}[\]]/g
  marks.lastIndex = start + 1
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    const { index } = found
    let end = index + 1
    if (found[0] === '"') {
      end = endOfJsonString(text, end)
      if (isObject && end > 0) key = text.slice(index + 1, end - 1)
    } else if (found[0] === '}' || found[0] === ']') return { members, end }
    else {
      end = endOfJsonValue(text, index)
      members.push({ key, start: index, end })
    }
    if (end < 0 || members.length >= most) break
    marks.lastIndex = end
  }
  return { members, end: -1 }
}

/** Position after the object or list that begins at `start`; −1: it has no end. */
function endOfJsonValue(text: string, start: number): number {
  const marks = /["{}[\]]/g
  marks.lastIndex = start
  let depth = 0
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    const [character] = found
    if (character === '"') {
      const end = endOfJsonString(text, found.index + 1)
      if (end < 0) return -1
      marks.lastIndex = end
    } else if (character === '{' || character === '[') depth++
    else if (--depth === 0) return found.index + 1
  }
  return -1
}

/** Position after the quote that ends a string whose first character is at `from`; −1: none. */
function endOfJsonString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text[at - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return at + 1
  }
  return -1
}
