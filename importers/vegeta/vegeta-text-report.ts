import type { Line } from '../importer'
import { withoutAnnotations } from '../document/annotations'
import { parseCount } from '../text/number'
import { isVegetaSuccess, sumStatusCodes } from './vegeta-report'

/** The labels of vegeta's rows, in order of print. */
export const vegetaLabels = [
  'Requests',
  'Duration',
  'Latencies',
  'Bytes In',
  'Bytes Out',
  'Success',
  'Status Codes',
] as const

export type VegetaLabel = (typeof vegetaLabels)[number]

/** One row: what is in the brackets, and what follows them. */
export interface VegetaRow {
  readonly columns: string
  readonly values: string
  readonly line: number
  /** The closing bracket has not been read yet. */
  readonly isOpen: boolean
}

const counted: ReadonlySet<VegetaLabel> = new Set(['Requests', 'Bytes In', 'Bytes Out', 'Status Codes'])
const grouped = /(?<![\d.,'’_])\d{1,3}(?:([,'’_])\d{3})(?:\1\d{3}){0,4}(?=,\s|\.\d|\s|$)/g
/** How the last value of a row ends if it was not torn apart. */
const wholeLastValue: Readonly<Record<VegetaLabel, RegExp>> = {
  Requests: /(?:\.\d\d|NaN)$/,
  Duration: /\ds$|[mnuµμ]s$/,
  Latencies: /\ds$|[mnuµμ]s$/,
  'Bytes In': /(?:\.\d\d|NaN)$/,
  'Bytes Out': /(?:\.\d\d|NaN)$/,
  Success: /%$/,
  'Status Codes': /:\d+$/,
}

/** What was read from one text report, as printed. */
export class VegetaTextReport {
  readonly firstLine: number
  lastLine: number
  readonly rows = new Map<VegetaLabel, VegetaRow>()
  hasErrorSet = false
  readonly errors: string[] = []
  /** It cleared the screen first: a `-every` snapshot, not the last one. */
  readonly isSnapshot: boolean
  /** Lines in place of others that an author left out. */
  readonly leftOut: number[] = []
  /** The last line read is a row, so a truncated input may end within it. */
  endsInRow = false

  constructor(line: Line) {
    this.firstLine = this.lastLine = line.number
    this.isSnapshot = line.clearsScreen === true
  }

  /** The values of a row; none: it is missing. */
  valuesOf(label: VegetaLabel): string[] {
    return (
      this.rows
        .get(label)
        ?.values.split(',')
        .map((value) => value.trim()) ?? []
    )
  }

  /** The first figure; null: missing or unreadable. */
  get requests(): number | null {
    return parseCount(this.valuesOf('Requests')[0] ?? '')
  }

  /** `0:116  200:734`; null: the row is missing. Codes that cannot be read are left out. */
  get statusCodes(): Record<string, number> | null {
    const row = this.rows.get('Status Codes')
    if (row === undefined) return null
    const codes: Record<string, number> = {}
    for (const [, code, count] of row.values.matchAll(/(?<!\S)(\d{1,3}):(\d{1,15})(?!\S)/g))
      if (code !== undefined && count !== undefined) codes[code] = Number(count)
    return codes
  }

  /** Whether every request has its code; otherwise the rest of the row is unknown. */
  get areCodesWhole(): boolean {
    const { requests, statusCodes } = this
    const isPlain = /^(?:\s*\d{1,3}:\d{1,15}(?!\S))*\s*$/.test(this.rows.get('Status Codes')?.values ?? '')
    return isPlain && (requests === null || (sumStatusCodes(statusCodes) ?? requests) >= requests)
  }

  /** Whether any request may have failed, so that messages can follow. */
  get mayFail(): boolean {
    const codes = this.statusCodes
    return codes === null || Object.keys(codes).some((code) => !isVegetaSuccess(code))
  }

  /**
   * A message belongs to a request without a response (code 0: any text), or is the status line of a bad code (`404
   * Not Found`): see hit() in lib/attack.go. Anything else that follows an Error Set is not part of it.
   */
  mayBeMessage(text: string): boolean {
    const codes = this.statusCodes
    if (codes === null || (codes['0'] ?? 0) > 0 || !this.areCodesWhole) return true
    const code = /^\s*(\d{3})\b/.exec(text)?.[1]
    return code !== undefined && (codes[code] ?? 0) > 0 && !isVegetaSuccess(code)
  }

  /** The snapshots of `-every` count up, and all but the last clear the screen. */
  isSupersededBy(columns: string, values: string): boolean {
    if (!this.isSnapshot || !this.hasErrorSet) return false
    const own = this.rows.get('Requests')
    const before = Number(/^\d+/.exec(own?.values ?? '')?.[0] ?? NaN)
    const after = Number(/^\s*(\d+)/.exec(values)?.[1] ?? NaN)
    return columns === own?.columns && after >= before
  }

  addRow(label: VegetaLabel, { columns, values, line, isOpen }: VegetaRow): void {
    this.rows.set(label, { columns, values: tidyValues(label, columns, values), line, isOpen })
    this.endsInRow = true
  }

  /** Adds the rest of a row that was wrapped at the edge of a terminal, or by an editor. False: it is none. */
  continueRow(label: VegetaLabel, text: string): boolean {
    const row = this.rows.get(label)
    if (row === undefined || text.length > 200) return false
    if (row.isOpen) {
      const [, columns, values] = /^([^\]]{0,100})\](.*)/.exec(text.trimStart()) ?? []
      if (columns === undefined || values === undefined) return false
      this.rows.set(label, { ...row, columns: row.columns + columns, values: values.trimStart(), isOpen: false })
      return true
    }
    if (!this.isWrapped(label, row, text)) return false
    // Values are separated by a space; a value that was torn apart has none inside.
    const space = /,\s*$/.test(row.values) || label === 'Status Codes' ? ' ' : ''
    this.rows.set(label, { ...row, values: row.values.trimEnd() + space + text.trim() })
    return true
  }

  /** Whether a line continues a row whose values end too early: too few of them, or the last one torn apart. */
  private isWrapped(label: VegetaLabel, { columns, values }: VegetaRow, text: string): boolean {
    if (label === 'Status Codes')
      return (
        /^\s*(?:\d{1,3}:\d{1,15}\s+)*\d{1,3}:\d{1,15}\s*$/.test(text) &&
        (sumStatusCodes(this.statusCodes) ?? 0) < (this.requests ?? 0)
      )
    const count = values.split(',').filter((value) => value.trim() !== '').length
    const isShort = count < columns.split(',').length
    return (isShort || !wholeLastValue[label].test(values.trimEnd())) && /^[\d.,nuµμmsh%\s]+$/.test(text)
  }

  /** `64.609ms` cut short reads as `64.609m`, an hour: the last value of a truncated line is not trusted. */
  dropLastValue(): void {
    const [label, row] = [...this.rows].at(-1) ?? []
    if (label === undefined || row === undefined) return
    const lastBlank = Math.max(row.values.lastIndexOf(' '), row.values.lastIndexOf('\t'))
    const end = label === 'Status Codes' ? lastBlank : row.values.lastIndexOf(',')
    this.rows.set(label, { ...row, values: row.values.slice(0, end + 1) })
  }
}

/**
 * Values without their author's notes, tags, blanks before units, and thousands separators: vegeta's own commas are
 * each followed by a blank.
 */
function tidyValues(label: VegetaLabel, columns: string, values: string): string {
  const shown = withoutAnnotations(values) ?? values
  const hasAll = label === 'Status Codes' || shown.split(',').length === columns.split(',').length
  const trimmed = (hasAll ? shown : values)
    .replace(/<\/\w{1,10}>\s*$/, '')
    .replace(/(\d) (ns|[uµμm]?s)(?=,|\s*$)/g, '$1$2')
    .trimStart()
  if (!counted.has(label)) return trimmed
  const plain = trimmed.replace(grouped, (digits) => digits.replace(/\D/g, ''))
  const isWhole = label === 'Status Codes' || plain.split(',').length === columns.split(',').length
  return isWhole ? plain : trimmed
}
