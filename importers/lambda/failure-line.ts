/** What a line beside a REPORT states about an invocation: logs without Status (until 2023) state it nowhere else. */
export interface FailureLine {
  readonly requestId: string
  /** Named as in Lambda's Status. */
  readonly status: 'timeout' | 'error'
}

const timedOut = /(?:^|[^\w-])([\w-]{8,80})(?:\\t)?\s{1,4}Task timed out after [\d.]{1,20} seconds/
/** For a process that exited by itself: there is no answer, and the function's log has no error for it. */
const exited =
  /(?:^|[^\w-])RequestId: ([\w-]{8,80})(?:\\t)?\s{1,4}(?:Process exited before completing request|Error: Runtime exited with)/

/** `2018-… 7a3b… Task timed out after 3.00 seconds`, `RequestId: 7a3b… Process exited before completing request`. */
export function readFailureLine(text: string): FailureLine | null {
  if (text.includes('Task timed out after ')) {
    const requestId = timedOut.exec(text)?.[1]
    return requestId === undefined ? null : { requestId, status: 'timeout' }
  }
  const requestId = text.includes(' exited ') ? exited.exec(text)?.[1] : undefined
  return requestId === undefined ? null : { requestId, status: 'error' }
}
