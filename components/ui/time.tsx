import { formatRelativeTime, formatTime } from '@/lib/format'
import type { UtcIso } from '@/lib/run/run'

/** A time as `3 h ago`, the absolute one on hover. `nowMs` is the request's clock, so that a list has one "now". */
export function Time({ at, nowMs, title }: { at: UtcIso; nowMs: number; title?: string | undefined }) {
  return (
    <time className="nowrap" dateTime={at} title={title ? `${formatTime(at)}, ${title}` : formatTime(at)}>
      {formatRelativeTime(at, nowMs)}
    </time>
  )
}
