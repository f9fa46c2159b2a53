import type { ServerRow } from '../../lib/cube/join-rows'
import type { Bytes } from '../importer'
import { readLines } from '../text/lines'
import { findTimeMs } from '../text/log-times'
import { createInvocation, readFields, readRequestId, reportAnchor } from './lambda-invocation'

/** Every REPORT line of a Lambda log, to be joined with a client's rows: the importers only add invocations up. */
export async function readReportRows(bytes: Bytes): Promise<readonly ServerRow[]> {
  const rows: ServerRow[] = []
  for await (const { raw } of readLines(bytes)) {
    const at = raw.indexOf(reportAnchor)
    if (at < 0) continue
    const report = raw.slice(at)
    const invocation = createInvocation(readRequestId(raw, at), readFields(report), findTimeMs(raw.slice(0, at)))
    if (invocation === null) continue
    const { requestId, durationMs, initMs, reportedAtMs } = invocation
    rows.push({
      id: requestId,
      serverMs: durationMs + (initMs ?? 0),
      ...{ isCold: initMs !== null, endMs: reportedAtMs },
    })
  }
  return rows
}
