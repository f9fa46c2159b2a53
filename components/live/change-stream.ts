import type { NextAttempt, StreamEvents, Surroundings } from './follow-changes'

/** Opens the stream of a project's changes, with `fetch`: an `EventSource` does not say why it was refused. */
function openStream(slug: string, { version, ended }: StreamEvents): () => void {
  const controller = new AbortController()
  const read = async (): Promise<NextAttempt> => {
    const response = await fetch(`/api/v1/projects/${slug}/changes`, {
      headers: { accept: 'text/event-stream' },
      cache: 'no-store',
      signal: controller.signal,
    })
    if (!response.ok || response.body === null) return nextAfter(response)
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let rest = '', part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + part.value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('data: ') && !controller.signal.aborted) version(line.slice(6))
    }
    return null
  }
  const end = (next: NextAttempt) => {
    if (!controller.signal.aborted) ended(next)
  }
  read().then(end, () => end(null))
  return () => controller.abort()
}

function nextAfter({ status, headers }: Response): NextAttempt {
  if ([401, 403, 404].includes(status)) return 'never'
  const seconds = Number(headers.get('retry-after'))
  return seconds > 0 ? seconds * 1_000 : null
}

/** A page in a browser. */
export const pageAround = (slug: string): Surroundings => ({
  open: (events) => openStream(slug, events),
  isVisible: () => document.visibilityState === 'visible',
  onVisibility(changed) {
    document.addEventListener('visibilitychange', changed)
    return () => document.removeEventListener('visibilitychange', changed)
  },
  later(ms, then) {
    const timer = setTimeout(then, ms)
    return () => clearTimeout(timer)
  },
  random: Math.random,
})
