import { missing } from '@/lib/format'

/** A gap, with its reason on hover and for screen readers. */
export function Missing({ reason }: { readonly reason: string }) {
  return (
    <span className="muted" title={reason}>
      <span aria-hidden="true">{missing}</span>
      <span className="visually-hidden">{reason}</span>
    </span>
  )
}
