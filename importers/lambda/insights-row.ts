import { asRequestId, type LambdaInvocation } from './lambda-invocation'
import { findTimeMs } from '../text/log-times'
import { parseDecimal, withoutThousands } from '../text/number'

/** Fields of a CloudWatch Logs Insights row, by name; empty ones are left out or empty. */
export type InsightsRow = ReadonlyMap<string, string>

/** The contents of a row. */
export interface InsightsFind {
  /** Null: no duration. */
  readonly invocation: LambdaInvocation | null
  readonly message: string | null
  readonly atMs: number | null
  readonly stream: string | null
  readonly functionName: string | null
  /** Why a figure of a report is lost: `its @duration "12 ms" is not a figure`. Null: none is. */
  readonly fault: string | null
}

/** Names for functions with text logs, and for those that log JSON. */
const names = {
  duration: ['@duration', 'record.metrics.durationMs'],
  billed: ['@billedDuration', 'record.metrics.billedDurationMs'],
  init: ['@initDuration', 'record.metrics.initDurationMs'],
  restore: ['@restoreDuration', 'record.metrics.restoreDurationMs'],
  billedRestore: ['@billedRestoreDuration'],
  requestId: ['@requestId', 'record.requestId'],
  status: ['record.status'],
  errorType: ['record.errorType'],
} as const

/**
 * Reads a row by the names of its fields:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_AnalyzeLogData-discoverable-fields.html
 */
export function readInsightsRow(row: InsightsRow): InsightsFind {
  const find = (keys: readonly string[]) => keys.map((key) => row.get(key) ?? '').find((text) => text !== '') ?? null
  let fault: string | null = null
  const number = (keys: readonly string[]) => {
    const text = find(keys)
    const value = readNumber(text)
    if (text !== null && value === null)
      fault ??= `its ${keys[0] ?? ''} ${JSON.stringify(text.slice(0, 40))} is not a figure`
    return value
  }
  const time = find(['@timestamp', '@ingestionTime'])
  const atMs = time === null ? null : readTime(time)
  const durationMs = number(names.duration)
  const billedMs = number(names.billed)
  if (durationMs === null && billedMs !== null) fault ??= 'it has a billed duration and no duration'
  const type = row.get('type')
  const isReport = type === undefined || type === '' || type === 'platform.report'
  const invocation =
    durationMs === null || !isReport
      ? null
      : {
          requestId: asRequestId(find(names.requestId) ?? ''),
          durationMs,
          billedMs,
          memorySizeMb: readMegabytes(row, '@memorySize', 'record.metrics.memorySizeMB'),
          maxMemoryUsedMb: readMegabytes(row, '@maxMemoryUsed', 'record.metrics.maxMemoryUsedMB'),
          initMs: number(names.init),
          restoreMs: number(names.restore),
          billedRestoreMs: number(names.billedRestore),
          status: find(names.status)?.slice(0, 20) ?? 'success',
          errorType: find(names.errorType)?.slice(0, 100) ?? null,
          reportedAtMs: atMs,
        }
  return {
    invocation,
    message: find(['@message']),
    atMs,
    stream: find(['@logStream'])?.slice(0, 512) ?? null,
    functionName: /\/aws\/lambda\/([\w-]{1,140})/.exec(find(['@log']) ?? '')?.[1] ?? null,
    fault: isReport ? fault : null,
  }
}

/** `2026-11-21 02:00:29.026`, or ms since 1970. */
function readTime(text: string): number | null {
  return /^\d{13}$/.test(text) ? Number(text) : findTimeMs(text)
}

function readNumber(text: string | null): number | null {
  const number = text === null ? null : parseDecimal(withoutThousands(withPoint(text), 'decimal') ?? '')
  return number !== null && number >= 0 && number < 1e12 ? number : null
}

/** Memory is in bytes, in Java's notation: `1.28E8` is 128 MB, `1.34217728E8` 128 MiB, which Lambda calls MB. */
function readMegabytes(row: InsightsRow, inBytes: string, inMegabytes: string): number | null {
  const bytes = readNumber(row.get(inBytes) ?? null)
  if (bytes === null) return readNumber(row.get(inMegabytes) ?? null)
  for (const bytesPerMegabyte of [2 ** 20, 1e6]) if (bytes % bytesPerMegabyte === 0) return bytes / bytesPerMegabyte
  return null
}

/** `11,17`, as saved by a spreadsheet: two digits are not thousands. */
const withPoint = (text: string): string => (/^\d+,\d{1,2}$/.test(text) ? text.replace(',', '.') : text)
