/** How long the server takes for one page, over a persistent connection. */
export interface PageTime {
  /** From request to last byte, one after the other, median of `requests`. */
  readonly serverMs: number
  readonly requests: number
  /** Uncompressed. */
  readonly htmlBytes: number
}

const warmUps = 10
const requests = 30

/** The median; NaN if empty. */
export const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Requests one page repeatedly; the first responses, which compile it, do not count. Throws if one is not 200. */
export async function timePage(url: string): Promise<PageTime> {
  const times: number[] = []
  let htmlBytes = 0
  for (let at = -warmUps; at < requests; at += 1) {
    const startedAt = performance.now()
    const answer = await fetch(url)
    const body = await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
    if (at >= 0) times.push(performance.now() - startedAt)
    htmlBytes = body.byteLength
  }
  return { serverMs: median(times), requests, htmlBytes }
}
