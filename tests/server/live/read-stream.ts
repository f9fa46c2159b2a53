/** A stream of server-sent events that is being read. */
export interface OpenStream {
  readonly headers: Headers
  /** All that has arrived. */
  text(): string
  /** The data of each event. */
  versions(): readonly string[]
  /** The server has ended it. */
  isOver(): boolean
  close(): void
}

/** Opens a stream, and reads it until either side ends it. Throws for another status than 200. */
export async function readStream(url: string, headers: Readonly<Record<string, string>> = {}): Promise<OpenStream> {
  const controller = new AbortController()
  const { signal } = controller
  const response = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' }, signal })
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  let text = ''
  let isOver = false
  const read = async () => {
    const decoder = new TextDecoder()
    const reader = response.body?.getReader()
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      text += decoder.decode(part.value)
  }
  void read()
    .catch(() => undefined)
    .finally(() => (isOver = true))
  return {
    headers: response.headers,
    text: () => text,
    versions: () => [...text.matchAll(/^data: (.*)$/gm)].map(([, version]) => version ?? ''),
    isOver: () => isOver,
    close: () => controller.abort(),
  }
}
