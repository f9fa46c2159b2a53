import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'
import { checkedAddresses, parseWebhookUrl, type CheckedAddress, type Lookup } from './webhook-address'
import type { WebhookPolicy } from '../webhook-policy'

/** Longest that a try takes, in ms: name resolution, connection, request and reply. */
export const tryLimitMs = 15_000
/** Most of a reply that is read. Its content is never used. */
const replyLimitBytes = 64 * 1024

interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly policy: WebhookPolicy
  /** Default: the system's resolver. */
  readonly lookup?: Lookup
  readonly limitMs?: number
}

/**
 * Sends a body and returns the status. Connects only to checked addresses: the name is resolved once, here. Redirects
 * are not followed. Throws InvalidInputError when the address is refused, otherwise the network's error.
 */
export async function postWebhook({ url: text, policy, lookup, ...post }: Post): Promise<number> {
  const signal = AbortSignal.timeout(post.limitMs ?? tryLimitMs)
  const url = parseWebhookUrl(text, policy)
  const addresses = await inTime(checkedAddresses(url, policy, lookup), signal)
  return send(url, addresses, post, signal)
}

/** The same promise, abandoned when time is up: name resolution cannot be aborted. */
function inTime<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () =>
      reject(signal.reason instanceof Error ? signal.reason : new Error('timeout')),
    )
    promise.then(resolve, reject)
  })
}

function send(
  url: URL,
  addresses: readonly CheckedAddress[],
  { headers, body }: Pick<Post, 'headers' | 'body'>,
  signal: AbortSignal,
): Promise<number> {
  const allowIPAddressList = addresses.filter((one) => one.isPrivate).map((one) => one.address)
  const isHttps = url.protocol === 'https:'
  const agent = isHttps
    ? new RequestFilteringHttpsAgent({ allowIPAddressList })
    : new RequestFilteringHttpAgent({ allowIPAddressList })
  return new Promise((resolve, reject) => {
    const request = (isHttps ? requestHttps : requestHttp)(url, {
      method: 'POST',
      agent,
      signal,
      headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': 'Tailboard' },
      // Answers asynchronously, as a resolver would: a connection that fails at once throws before a listener is
      // attached.
      lookup: (_host, options, answer) =>
        setImmediate(() => {
          const [first] = addresses
          if (options.all) answer(null, [...addresses])
          else if (first) answer(null, first.address, first.family)
        }),
    })
    let status: number | null = null
    // The status is the result, however its body ends.
    request.on('error', (error) => (status === null ? reject(error) : resolve(status)))
    request.on('response', (response) => {
      const answered = response.statusCode ?? 0
      status = answered
      let bytes = 0
      const end = () => {
        resolve(answered)
        request.destroy()
      }
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > replyLimitBytes) end()
      })
      response.on('end', end).on('error', end).on('close', end)
    })
    request.end(body)
  })
}
