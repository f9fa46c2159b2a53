/**
 * Output that is known but not imported: other tools (some print the headings of hey or wrk), usage texts and error
 * messages, and forms of our tools that no importer reads. This lets a refusal name what it refuses.
 *
 *     Statistics        Avg      Stdev        Max            bombardier, above wrk's "Latency Distribution"
 *     unable to connect to 127.0.0.1:18081 Connection refused            wrk, when there is nothing to measure
 */

import { printingTools } from '../lib/run/tools'
import { foreignForms, type ForeignForm, type ForeignSign } from './foreign-forms'

/** What was recognised, and where. */
export interface ForeignFind {
  readonly kind: ForeignForm['kind']
  /** Name of the tool, or of the form: `siege`, `a list of vegeta results (CSV)`. */
  readonly tool: string
  /** Index of the recognised line + 1; null: recognised by bytes. */
  readonly line: number | null
  /** One sentence for the user, without the place. */
  readonly message: string
  readonly hint: string
}

const signs = foreignForms.flatMap((form) => form.signs.map((sign) => ({ form, ...sign })))
type FormSign = ForeignSign & { readonly form: ForeignForm }

const isAnywhere = (sign: FormSign): sign is FormSign & { readonly holds: string } => 'holds' in sign
const atStart = signs.filter((sign) => !isAnywhere(sign))
const anywhere = signs.filter(isAnywhere)

/** All start-of-line signs in one pattern: nearly every line has none, and one search rules them out. */
const anyAtStart = new RegExp(atStart.map(({ pattern }) => pattern.source).join('|'))
const anyHeld = new RegExp(anywhere.map(({ holds }) => holds.replace(/[{.]/g, '\\$&')).join('|'))

/**
 * Names the foreign tool, message or form that a line shows; null: none. `before` is the non-empty line above it. Call
 * it only for lines that no importer claims: the report of wrk2, for one, contains a percentile table.
 */
export function findForeignLine(text: string, before: string): ForeignFind | null {
  // Long lines are data; their beginning is sufficient.
  const part = text.slice(0, 2_000)
  const sign =
    (anyAtStart.test(part) ? atStart.find((one) => isShown(one, part, before)) : undefined) ??
    (anyHeld.test(part) ? anywhere.find(({ pattern }) => pattern.test(part)) : undefined)
  return sign ? describe(sign.form) : null
}

function isShown(sign: FormSign, text: string, before: string): boolean {
  const after = 'after' in sign ? sign.after : undefined
  return sign.pattern.test(text) && (after === undefined || after.test(before))
}

const magics: readonly (readonly [name: string, offset: number, bytes: readonly number[]])[] = [
  ['a gzip file', 0, [0x1f, 0x8b]],
  ['a zip file', 0, [0x50, 0x4b, 0x03, 0x04]],
  ['an empty zip file', 0, [0x50, 0x4b, 0x05, 0x06]],
  ['an xz file', 0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['a zstd file', 0, [0x28, 0xb5, 0x2f, 0xfd]],
  ['a bzip2 file', 4, [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]],
  ['a 7z file', 0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['a tar file', 257, [0x75, 0x73, 0x74, 0x61, 0x72]],
  ['a picture', 0, [0x89, 0x50, 0x4e, 0x47]],
  ['a picture', 0, [0xff, 0xd8, 0xff]],
  ['a PDF', 0, [0x25, 0x50, 0x44, 0x46, 0x2d]],
]

/** Identifies a file that is not text by its first bytes: an archive, a picture, a binary log. Null: unknown. */
export function findForeignBytes(head: Uint8Array): ForeignFind | null {
  const magic = magics.find(([, offset, bytes]) => bytes.every((byte, index) => head[offset + index] === byte))
  if (magic) return describe({ kind: 'not-read-yet', name: magic[0], signs: [] })
  if (isRewrittenGob(head))
    return describe({
      kind: 'not-read-yet',
      name: 'vegeta\'s results (gob) as PowerShell\'s ">" rewrote them: as UTF-16, with bytes lost',
      signs: [],
      instead: 'Run the attack again with "vegeta attack -output=results.bin", which PowerShell does not touch.',
    })
  const gatling = gatlingVersion(head)
  return gatling === null
    ? null
    : describe({ kind: 'other-tool', name: `Gatling ${gatling} (its binary simulation.log)`, signs: [] })
}

/** A gob defines its type by name within its first bytes; here the name is in UTF-16 after a byte order mark. */
function isRewrittenGob(head: Uint8Array): boolean {
  if (head[0] !== 0xff || head[1] !== 0xfe) return false
  return new TextDecoder('utf-16le').decode(head.subarray(0, 128)).includes('\u0006Result')
}

/**
 * Since 3.13 simulation.log is binary: a zero, the length of the version (four bytes), the version. Null: another file.
 */
function gatlingVersion(head: Uint8Array): string | null {
  const length = head[4] ?? 0
  if (head.subarray(0, 4).some((byte) => byte !== 0) || length < 3 || length > 40) return null
  const version = String.fromCharCode(...head.subarray(5, 5 + length))
  return /^\d+\.\d+\.[\w.-]+$/.test(version.trim()) ? version : null
}

function describe(form: ForeignForm): ForeignFind {
  const { kind, name, instead } = form
  return { kind, tool: name, line: null, message: sentence(form), hint: instead ?? hints[kind](name) }
}

function sentence({ kind, name }: ForeignForm): string {
  if (kind === 'other-tool') return `this is the output of ${name}, which is not imported`
  if (kind === 'no-results') return `this is ${name}: it holds no results`
  if (kind === 'not-alone') return `this is ${name} amid other text, which is not supported`
  return `this is ${name}, which is not supported`
}

const hints: Readonly<Record<ForeignForm['kind'], (name: string) => string>> = {
  'other-tool': () => `Upload the output of ${printingTools('or')}.`,
  'no-results': () => 'Upload what the tool printed after the test ran.',
  'not-alone': () => 'Upload it as a file of its own.',
  'not-read-yet': (name) => {
    if (/file$/.test(name)) return 'Unpack it and upload the files in it.'
    return /picture|PDF/.test(name)
      ? 'Upload the text itself.'
      : 'Upload the printed report or the REPORT lines of the log.'
  },
}
