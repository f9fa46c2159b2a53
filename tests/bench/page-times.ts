/** How long the server takes for one page, over a connection that stays open. */
export interface PageTime {
  /** From request to last byte, one after the other, median of `requests`. */
  readonly serverMs: number
  readonly requests: number
  /** Unpacked. */
  readonly htmlBytes: number
}

const warmUps = 10
const requests = 30

/** The middle value; NaN of none. */
export const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Asks for one page again and again; the first answers, which compile it, do not count. Throws when it is not 200. */
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
