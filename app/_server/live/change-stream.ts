import type { Granted } from '@/prisma/queries/projects/projects'
import { watchProject } from './watch-projects'

/** Often enough for proxies, which end silent connections after a minute, and for our own limits. */
const beatMs = 25_000

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Kept by nobody, and passed on at once: `no-transform` is for compressing proxies, the other for nginx.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/**
 * Server-sent events with the version of a project, `data: 42`: the one given now, then each that is read later. A
 * client that takes them slowly gets the newest only. Ends with the viewer's right, the server, or the client. Throws as
 * `watchProject` does.
 */
export function changeStream(project: Granted<'read'>, version: string): Response {
  const encoder = new TextEncoder()
  let next: string | null = null
  let isOver = false
  let isCancelled = false
  let wake = () => {}
  const say = (text: string) => {
    next = text
    wake()
  }
  let said = version
  const onVersion = (read: string) => {
    if (read === said) return
    said = read
    say(eventOf(read))
  }
  const stop = watchProject({ project, onVersion, onEnd: () => end() })
  const beat = setInterval(() => (next === null ? say(': still here\n\n') : undefined), beatMs).unref()
  function end(): void {
    isOver = true
    clearInterval(beat)
    stop()
    wake()
  }
  say(eventOf(version))
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (next === null && !isOver) await new Promise<void>((resolve) => (wake = resolve))
      if (next !== null) controller.enqueue(encoder.encode(next))
      else if (!isCancelled) controller.close()
      next = null
    },
    cancel() {
      isCancelled = true
      end()
    },
  })
  return new Response(body, { headers })
}

const eventOf = (version: string): string => `data: ${version}\n\n`
