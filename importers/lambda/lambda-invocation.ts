import { parseDecimal, parseScaled, withoutThousands } from '../text/number'

/** One invocation as stated by its REPORT line. Null: the field is not in the line. */
export interface LambdaInvocation {
  /** Null: the form does not state it; repeats cannot be detected. */
  readonly requestId: string | null
  readonly durationMs: number
  readonly billedMs: number | null
  readonly memorySizeMb: number | null
  readonly maxMemoryUsedMb: number | null
  readonly initMs: number | null
  readonly restoreMs: number | null
  readonly billedRestoreMs: number | null
  /** `success` if the line has no Status. */
  status: string
  readonly errorType: string | null
  /** Time of the report, ms since 1970: the invocation's end. */
  readonly reportedAtMs: number | null
}

/** Precedes every invocation's figures. */
export const reportAnchor = 'REPORT RequestId:'

/** Longer names first (`Billed Duration` contains `Duration`); a torn line may have lost a blank. */
const field =
  /(Billed\s{0,2}Restore\s{0,2}Duration|Restore\s{0,2}Duration|Init\s{0,2}Duration|Billed\s{0,2}Duration|Duration|Memory\s{0,2}Size|Max\s{0,2}Memory\s{0,2}Used):\s{0,2}(\d[\d.,'’]{0,23})\s{0,2}(ms|s|secs?|seconds|us|µs|μs|[MG]i?B)(?![a-z])/g
const fieldStart =
  /^\s*(?:Billed Restore Duration|Restore Duration|Init Duration|Billed Duration|Duration|Memory Size|Max Memory Used|Status|Error Type|XRAY TraceId|SegmentId|Sampled): /

/** Whether a line begins with a field of a REPORT that was printed one field per line. */
export function startsWithField(text: string): boolean {
  return fieldStart.test(text)
}

/** Placeholders for an id that its author removed: `XXXXXXX`, `5a1e-xxxx`, `<redacted>`, `[id]`, `...`. */
const redacted = /x{2}|[<>[\](){}*…]|\.{3}|redacted|removed|masked|hidden/i

/** A request id as printed; null: another text is in its place. AWS's ids have digits, which a mere name lacks. */
export function asRequestId(text: string): string | null {
  const id = text.slice(0, 80)
  const isOneDigit = id.length > 3 && new Set(id.replaceAll('-', '')).size < 2
  return isOneDigit || redacted.test(id) || !/\d/.test(id) ? null : id
}

/** The request id after the anchor at `at`; null: none, or it was removed. */
export function readRequestId(text: string, at: number): string | null {
  const rest = text.slice(at + reportAnchor.length, at + reportAnchor.length + 90)
  const id = /^\s*([^\s:\\"'`,]{1,80})(?![^\s\\"'`,])/.exec(rest)?.[1]
  return id === undefined ? null : asRequestId(id)
}

/** A REPORT whose request id, or everything before its figures, was cut off: no other tool bills a duration. */
const bareReport =
  /(?:\bREPORT\s{1,4})?Duration: {1,2}\S{1,24} m?s\s{1,8}Billed Duration: {1,2}\S|\bREPORT\s{1,4}Duration: {1,2}\d/

/** Where such a report begins in a line; −1: none. */
export function findBareReport(text: string): number {
  return text.includes('Billed Duration: ') || text.includes('REPORT') ? text.search(bareReport) : -1
}

/** The end of a REPORT whose beginning was cut off, with its duration: from the middle of a field on. */
const reportTail =
  /^\s{0,8}(?:([A-Za-z ]{1,15}): {0,2})?(?:[\d.,'’]{1,24} )?(?:ms)?\s{0,8}(?:Billed Duration: {1,2}\S{1,24} ms\s{1,8}Memory Size: |Memory Size: {1,2}\S{1,24} [MG]B\s{1,8}Max Memory Used: )/

/** Whether a line that is not a report contains the end of one, not a sentence. */
export function holdsReportTail(text: string): boolean {
  const tail = text.includes('Memory Size: ') ? reportTail.exec(text) : null
  return tail !== null && ['Duration', 'Billed Duration'].some((name) => name.endsWith(tail[1] ?? ''))
}

/** Fields by name, in any order; `isWhole`: the four that every REPORT has are there. */
export interface ReportFields {
  readonly values: ReadonlyMap<string, number>
  readonly isWhole: boolean
  readonly status: string | null
  readonly errorType: string | null
}

/** The fields that every REPORT has and this one lacks, as printed. */
export function listMissingFields({ values }: ReportFields): string {
  return requiredFields
    .filter((key) => !values.has(key))
    .map((key) => key.replace(/(?<=[a-z])(?=[A-Z])/g, ' '))
    .join(', ')
}

/** Eleven days in ms, or a petabyte in MB: digits that ran together, not a real figure. */
const tooMuch = 1e9

/** Reads the fields of a REPORT, from the anchor on. */
export function readFields(text: string): ReportFields {
  const values = new Map<string, number>()
  for (const [, name = '', value = '', unit = ''] of text.matchAll(field)) {
    const key = name.replace(/\s/g, '')
    const number = readFigure(key, value, unit)
    if (number !== null && number < tooMuch && !values.has(key)) values.set(key, number)
  }
  return {
    values,
    isWhole: requiredFields.every((key) => values.has(key)),
    status: text.includes('Status:') ? (/Status:\s*([a-z]{1,20})/.exec(text)?.[1] ?? null) : null,
    errorType: text.includes('Error') ? (/Error\s*Type:\s*([\w.]{1,100})/.exec(text)?.[1] ?? null) : null,
  }
}

/** A field's figure in ms or MB; null: its unit is of another kind, or its number is uncertain. */
function readFigure(key: string, value: string, unit: string): number | null {
  const isMemory = key === 'MemorySize' || key === 'MaxMemoryUsed'
  const plain = withoutThousands(value, isMemory || key === 'BilledDuration' ? 'count' : 'decimal')
  // Two places after a comma are not thousands.
  const decimal = plain ?? (/^\d{1,9},\d{1,2}$/.test(value) ? value.replace(',', '.') : value)
  if (unit.endsWith('B') !== isMemory) return null
  if (unit.startsWith('G')) return (parseDecimal(decimal) ?? NaN) * 1_024
  if (isMemory || unit === 'ms') return parseDecimal(decimal)
  return parseScaled(decimal, unit.startsWith('s') ? 3 : -3)
}

/**
 * The platform's format since 2014: the four fields in order, and an Init Duration. Before December 2020 the bill was
 * followed by a blank.
 */
const plainReport =
  /^REPORT RequestId: ([\w-]{36})\tDuration: (\d{1,8}(?:\.\d{1,3})?) ms\tBilled Duration: (\d{1,8}(?:\.\d{1,3})?) ms ?\tMemory Size: (\d{1,8}) MB\tMax Memory Used: (\d{1,8}) MB(?:\tInit Duration: (\d{1,8}(?:\.\d{1,3})?) ms)?\s*$/

/** Reads a REPORT in the most common layout, much faster than field by field; null: any other. */
export function readPlainReport(text: string, reportedAtMs: number | null): LambdaInvocation | null {
  const found = plainReport.exec(text)
  if (found === null) return null
  return {
    requestId: asRequestId(found[1] ?? ''),
    durationMs: Number(found[2]),
    billedMs: Number(found[3]),
    memorySizeMb: Number(found[4]),
    maxMemoryUsedMb: Number(found[5]),
    initMs: found[6] === undefined ? null : Number(found[6]),
    restoreMs: null,
    billedRestoreMs: null,
    status: 'success',
    errorType: null,
    reportedAtMs,
  }
}

const requiredFields = ['Duration', 'BilledDuration', 'MemorySize', 'MaxMemoryUsed']

/** Makes an invocation from a REPORT's fields; null: no Duration. */
export function createInvocation(
  requestId: string | null,
  { values, status, errorType }: ReportFields,
  reportedAtMs: number | null,
): LambdaInvocation | null {
  const durationMs = values.get('Duration')
  if (durationMs === undefined) return null
  return {
    requestId,
    durationMs,
    billedMs: values.get('BilledDuration') ?? null,
    memorySizeMb: values.get('MemorySize') ?? null,
    maxMemoryUsedMb: values.get('MaxMemoryUsed') ?? null,
    initMs: values.get('InitDuration') ?? null,
    restoreMs: values.get('RestoreDuration') ?? null,
    billedRestoreMs: values.get('BilledRestoreDuration') ?? null,
    status: status ?? 'success',
    errorType,
    reportedAtMs,
  }
}

/**
 * https://github.com/dherault/serverless-offline/blob/v12.0.4/src/lambda/LambdaFunction.js: no memory, as it runs on
 * the author's machine.
 */
const offlineReport =
  /^\s{0,20}\(λ: ([\w.-]{1,140})\) RequestId: (\S{1,80})\s{1,8}Duration: \S{1,24} ms\s{1,8}Billed Duration: \S{1,24} ms\s*$/

/** Reads the line that serverless-offline prints after each invocation. Null: another line. */
export function readOfflineReport(text: string): { functionName: string; invocation: LambdaInvocation } | null {
  const [, functionName, id = ''] = text.includes('(λ: ') ? (offlineReport.exec(text) ?? []) : []
  if (functionName === undefined) return null
  const invocation = createInvocation(asRequestId(id), readFields(text), null)
  return invocation === null ? null : { functionName, invocation }
}

/**
 * A report without memory that ends with its bill, as serverless-offline once printed it. AWS's, cut there, has tabs.
 */
export const lacksMemory = (text: string, { values }: ReportFields): boolean =>
  text.startsWith(reportAnchor) &&
  !text.includes('\t') &&
  values.has('BilledDuration') &&
  !values.has('MemorySize') &&
  !values.has('MaxMemoryUsed') &&
  /\d ms\s*$/.test(text)

/**
 * https://github.com/serverless/serverless/blob/ae3e61eec7950da607ba5342605dded828883784/lib/plugins/aws/utils/format-lambda-log-event.js
 */
const shortEnd =
  /^END Duration: (\d{1,9}(?:\.\d{1,9})?) ms(?: \(init: (\d{1,9}(?:\.\d{1,9})?) ms\))? Memory Used: (\d{1,6}) MB\s*$/
const wholeEnd = /^END Duration: [\d.]{1,20} ms\tBilled Duration: /

/**
 * Reads the line that newer versions of `sls logs` and `sls invoke --log` print in place of a REPORT line: duration,
 * init and memory only, or (in an earlier layout) all fields without the request id. Null: another line.
 */
export function readServerlessEnd(text: string): LambdaInvocation | null {
  if (!text.startsWith('END Duration: ')) return null
  if (wholeEnd.test(text)) return createInvocation(null, readFields(text), null)
  const [, duration = '', init = '', memory = ''] = shortEnd.exec(text) ?? []
  const durationMs = parseDecimal(duration)
  if (durationMs === null) return null
  return {
    requestId: null,
    durationMs,
    billedMs: null,
    memorySizeMb: null,
    maxMemoryUsedMb: parseDecimal(memory),
    initMs: parseDecimal(init),
    restoreMs: null,
    billedRestoreMs: null,
    status: 'success',
    errorType: null,
    reportedAtMs: null,
  }
}
