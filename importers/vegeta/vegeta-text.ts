/**
 * vegeta's text report, as https://github.com/tsenart/vegeta/blob/v12.12.0/lib/reporters.go#L57 (NewTextReporter)
 * prints it. Versions 6 to 12: `[total, rate]` up to 12.5, `[mean, 50, 95, 99, max]` up to 12.7.
 *
 *     Requests      [total, rate, throughput]         500, 50.10, 50.09
 *     Latencies     [min, mean, 50, 90, 95, 99, max]  1.216ms, 4.928ms, 4.087ms, 7.923ms, 10.91ms, 22.42ms, 64.609ms
 *     Status Codes  [code:count]                      200:500
 */
import type { Block, BlockReader, Line, TextImporter } from '../importer'
import { withoutAnnotations } from '../document/annotations'
import { decodeEntities } from '../carried/copied-text'
import { vegetaLabels, VegetaTextReport, type VegetaLabel } from './vegeta-text-report'
import { createVegetaBlock } from './vegeta-text-run'

/** Reads vegeta's text report; in a `-every` capture the last snapshot. */
export const vegetaText: TextImporter = {
  kind: 'text',
  id: 'vegeta-text',
  detect: ({ text }) => text.includes('equests') && readLabel(text)?.label === 'Requests',
  open: () => new VegetaTextReader(),
}

/** The tags of a page, or the `^C` echoed by a terminal, may precede a label. */
const labelLine =
  /^(?:.{0,300}<(?:pre|code)\b[^<>]{0,100}>)?\s*(?:\^C\s*)?(R?equests|Duration|Latencies|Bytes In|Bytes Out|Success|Status Codes)\s+\[([^\]]{0,200})\]?(.*)/
const errorSetLine = /^\s*Error Set:\s*$/
/** Beginnings of other reports and logs. */
const otherOpening =
  /^\s*(?:Summary:\s*$|All requests done\.|Running \S+ test @ |Bucket\s+#|Value\(ms\)\s|\{"latencies":|\{$|(?:REPORT|START) RequestId: )/
/** What ends a report anywhere: a fence, a heading, a prompt, a separator, a closing tag. */
const clearEnd = /^\s*(?:```|~~~|#{1,6}\s|[$❯%➜] |[\w.-]+@[\w.-]+:\S*[$#] |([=*_~-])\1{2,}|==> .* <==\s*$|<\/\w+>)/
/** Most lines that an author may have left out. */
const maxLeftOut = 20
const ellipsis = /^\s*[([]?(?:\.{3}|…)[)\]]?\s*$/
/** Empty lines that an editor may have put between the parts; more end the report. */
const maxEmptyLines = 2

function readLabel(text: string): { label: VegetaLabel; columns: string; values: string; isOpen: boolean } | null {
  const [, printed, columns, rest] = labelLine.exec(text) ?? []
  // When copying, the first letter is easily missed.
  const label = printed === 'equests' ? 'Requests' : printed
  if (label === undefined || columns === undefined || rest === undefined) return null
  // Word-wrapped inside the brackets: the rest follows.
  const isOpen = !text.includes(']')
  if (label === 'Requests' && !/^\s*total\b/.test(columns)) return null
  const known = vegetaLabels.find((candidate) => candidate === label)
  return known === undefined ? null : { label: known, columns, values: rest, isOpen }
}

class VegetaTextReader implements BlockReader {
  /** The report being read; null before its first line. */
  private report: VegetaTextReport | null = null
  private passedSnapshots = 0
  private firstLine = 0
  private emptyLines = 0
  /** The row whose values a terminal may have wrapped onto the next line. */
  private openRow: VegetaLabel | null = null

  push(line: Line): 'taken' | 'not-mine' {
    const { text } = line
    if (this.report === null) {
      this.report = new VegetaTextReport(line)
      this.firstLine = line.number
    } else if (text.trim() === '') return this.pushEmpty(this.report)
    else if (clearEnd.test(text)) return 'not-mine'
    if (ellipsis.test(text) && this.report.leftOut.length < maxLeftOut) {
      this.report.leftOut.push(line.number)
      this.report.endsInRow = false
      return 'taken'
    }
    // A row, even one that cannot be read, is no error message.
    const shown = labelLine.test(text) ? text : (withoutAnnotations(text) ?? text)
    const read = labelLine.test(shown)
      ? this.readRow(this.report, { ...line, text: shown })
      : this.readErrorSet(this.report, text) ||
        this.readMessage(this.report, text) ||
        (this.openRow !== null && this.report.continueRow(this.openRow, text))
    if (!read) return 'not-mine'
    this.emptyLines = 0
    this.report.lastLine = line.number
    return 'taken'
  }

  private pushEmpty(current: VegetaTextReport): 'taken' | 'not-mine' {
    current.endsInRow = false
    this.openRow = null
    this.emptyLines++
    // Messages are consecutive; before the first one an editor may have left a gap.
    const isOver = current.hasErrorSet && (current.errors.length > 0 || !current.mayFail)
    return isOver || this.emptyLines > maxEmptyLines ? 'not-mine' : 'taken'
  }

  private readRow(current: VegetaTextReport, line: Line): boolean {
    const found = readLabel(line.text)
    if (found === null) return false
    const { label, columns, values, isOpen } = found
    if (label === 'Requests' && current.rows.has('Requests')) {
      if (!current.isSupersededBy(columns, values)) return false
      this.passedSnapshots++
      current = new VegetaTextReport(line)
      this.report = current
    }
    if (current.rows.has(label) || current.hasErrorSet) return false
    current.addRow(label, { columns, values, line: line.number, isOpen })
    this.openRow = label
    return true
  }

  private readErrorSet(current: VegetaTextReport, text: string): boolean {
    if (!errorSetLine.test(text) || current.hasErrorSet) return false
    current.hasErrorSet = true
    current.endsInRow = false
    this.openRow = null
    return true
  }

  private readMessage(current: VegetaTextReport, text: string): boolean {
    if (!current.hasErrorSet || otherOpening.test(text) || !current.mayBeMessage(text)) return false
    current.errors.push(decodeEntities(text.trim()))
    return true
  }

  end(atEnd: boolean): Block | null {
    return this.report === null ? null : createVegetaBlock(this.report, this.passedSnapshots, this.firstLine, atEnd)
  }
}
