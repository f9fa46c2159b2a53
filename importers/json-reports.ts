import type { z } from 'zod'
import { ImportError } from '../lib/errors'
import type { ImportProblem } from '../lib/run/run'
import type { Block, BlockReader, BlockRun, Line, TextImporter } from './importer'
import { problemOf } from './import-problem'
import { describeIssue, findJsonFault, refuseJson, type JsonFault } from './json-fault'
import { JsonCollector } from './text/json-collector'
import { isLoneBracket, jsonStart } from './text/json-start'

/** One JSON value in a text, and its place. */
export interface JsonReport {
  readonly value: unknown
  /** The text it was parsed from. */
  readonly text: string
  readonly lines: readonly [number, number]
}

/** The runs made from the reports of a block. */
export interface JsonRuns {
  readonly runs: readonly BlockRun[]
  readonly problems?: readonly ImportProblem[]
  /** See Block. */
  readonly completes?: Block['completes']
}

/** A report that a tool prints as one JSON object (or a list), on one line or several. */
export interface JsonForm {
  /** Equals the file name and the fixtures folder. */
  readonly id: string
  /** As at the start of a sentence: `autocannon's JSON`. */
  readonly name: string
  /** What to upload when it is truncated or damaged. */
  readonly hint: string
  /** What may precede the JSON on its first line; absent: nothing. */
  readonly label?: RegExp
  /** Cheap and certain, on the beginning of the JSON: its only line, or its first ones. No other form may claim it. */
  detect(start: string): boolean
  /** Whether a report that begins like this belongs to the one before it; absent: each is its own block. */
  continues?(start: string): boolean
  /** Null: not this tool's reports after all. A fault: they are, but cannot be read. Throws ImportError. */
  read(reports: readonly JsonReport[]): JsonRuns | JsonFault | null
}

/** Why none of the reports is in the tool's format: the first one's fault. */
export function faultOfReports(reports: readonly JsonReport[], schema: z.ZodType): JsonFault | null {
  for (const { value, text } of reports)
    for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      const { error } = schema.safeParse(one)
      if (error !== undefined) return describeIssue(error, one, text)
    }
  return null
}

/** Makes a run of each report. A fault: none is in the tool's format. `line`: where a report begins. */
export function readEach<Report>(
  reports: readonly JsonReport[],
  schema: z.ZodType<Report>,
  createRun: (report: Report, line: number) => BlockRun,
): JsonRuns | JsonFault | null {
  const runs = reports.flatMap(({ value, lines }) => {
    const report = schema.safeParse(value).data
    return report === undefined ? [] : [createRun(report, lines[0])]
  })
  return runs.length === 0 ? faultOfReports(reports, schema) : { runs }
}

/**
 * Makes the importer of a form. JSON that is truncated or damaged only gives an ImportError with the form's name: a
 * partial report is none.
 */
export function createJsonImporter(form: JsonForm): TextImporter {
  return {
    kind: 'text',
    id: form.id,
    isJsonReport: true,
    ...(form.label === undefined && { starts: '{[' }),
    detect(line) {
      const start = jsonStart(withoutLabel(line, form.label))
      return start !== null && !isLoneBracket(start) && form.detect(start)
    },
    open: () => new JsonReportReader(form),
  }
}

/** Only a line that contains a bracket can have one. */
function withoutLabel(line: Line, label: RegExp | undefined): Line {
  if (label === undefined || line.objectStart !== undefined || !line.text.includes('{')) return line
  return { ...line, text: line.text.replace(label, '') }
}

class JsonReportReader implements BlockReader {
  private collector = new JsonCollector()
  private firstLine = 0
  private lastLine = 0
  private readonly reports: JsonReport[] = []
  private fault: 'malformed' | 'too-large' | null = null
  private jsonFault: JsonFault | null = null

  constructor(private readonly form: JsonForm) {}

  push(line: Line): 'taken' | 'last' | 'not-mine' | 'passed' {
    if (this.collector.isEmpty) {
      if (this.reports.length > 0) {
        if (line.text.trim() === '') return 'passed'
        const start = jsonStart(line)
        if (start === null || this.form.continues?.(start) !== true) return 'not-mine'
      }
      this.firstLine = line.number
    }
    this.lastLine = line.number
    const { text } = this.collector.isEmpty ? withoutLabel(line, this.form.label) : line
    const state = this.collector.add(text, line.tooLong === true)
    if (state === 'open') return 'taken'
    if (state === 'not-json') this.fault = 'malformed'
    else this.close()
    return this.fault === null && this.form.continues !== undefined ? 'taken' : 'last'
  }

  private close(): void {
    if (this.collector.isShortened) this.fault = 'too-large'
    else this.parse()
  }

  private parse(): void {
    const collected = this.collector.text
    // A comma or a shell prompt may follow the closing bracket.
    const text = collected.slice(0, Math.max(collected.lastIndexOf('}'), collected.lastIndexOf(']')) + 1)
    // A number beyond the range would be read as infinite.
    this.jsonFault = findJsonFault(text)
    this.fault = this.jsonFault === null ? null : 'malformed'
    if (this.fault !== null) return
    try {
      this.reports.push({ value: JSON.parse(text), text, lines: [this.firstLine, this.lastLine] })
      this.collector = new JsonCollector()
    } catch {
      this.fault = 'malformed'
    }
  }

  end(): Block | null {
    const { form, reports } = this
    const isOpen = !this.collector.isEmpty
    if (isOpen && reports.length === 0) throw this.explainFault()
    const made = form.read(reports)
    const [first] = reports
    const last = reports.at(-1)
    if (made === null || first === undefined || last === undefined) return null
    if ('reason' in made) throw refuseJson(form.name, made, first.lines[0], form.hint)
    const problems = [...(made.problems ?? [])]
    if (isOpen) {
      problems.push(problemOf(this.explainFault(), this.lastLine))
    }
    const { runs, completes } = made
    return { lines: [first.lines[0], last.lines[1]], runs, problems, ...(completes && { completes }) }
  }

  private explainFault(): ImportError {
    const { name, hint } = this.form
    const place = { line: this.firstLine, hint }
    if (this.fault === 'too-large')
      return new ImportError('too-large', `${name} is too long to read within a text`, place)
    if (this.jsonFault !== null) return refuseJson(name, this.jsonFault, this.firstLine, hint)
    if (this.fault === 'malformed') return new ImportError('malformed', `${name} is damaged: it is not JSON`, place)
    return new ImportError('truncated', `${name} is truncated: none of it can be read`, place)
  }
}
