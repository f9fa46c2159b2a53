import type { UtcIso } from '@/lib/run/run'

/** `21 Dec 2026`, in UTC: readers of a link sit anywhere. */
export function formatDate(at: UtcIso): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(at),
  )
}
