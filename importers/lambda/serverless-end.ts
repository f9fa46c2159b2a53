import type { LambdaInvocation } from './lambda-invocation'
import { createInvocation, readFields } from './lambda-invocation'
import { parseDecimal } from '../text/number'

/** https://github.com/serverless/serverless/blob/ae3e61eec7950da607ba5342605dded828883784/lib/plugins/aws/utils/format-lambda-log-event.js */
const short =
  /^END Duration: (\d{1,9}(?:\.\d{1,9})?) ms(?: \(init: (\d{1,9}(?:\.\d{1,9})?) ms\))? Memory Used: (\d{1,6}) MB\s*$/
const whole = /^END Duration: [\d.]{1,20} ms\tBilled Duration: /

/**
 * Reads what newer versions of `sls logs` and `sls invoke --log` print in place of a REPORT line: duration, init and
 * memory alone, or (an earlier layout of theirs) all fields without the request id. Null: another line.
 */
export function readServerlessEnd(text: string): LambdaInvocation | null {
  if (!text.startsWith('END Duration: ')) return null
  if (whole.test(text)) {
    const invocation = createInvocation('', readFields(text), null)
    return invocation === null ? null : { ...invocation, requestId: null }
  }
  const [, duration = '', init = '', memory = ''] = short.exec(text) ?? []
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
