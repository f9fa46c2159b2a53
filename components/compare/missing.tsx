import { missing } from '@/lib/format'
import { element, joined, words, type Markup } from '../ui/markup'

/** A gap, with its reason on hover and for screen readers. */
export function Missing({ reason }: { readonly reason: string }) {
  return (
    <span className="muted" title={reason}>
      <span aria-hidden="true">{missing}</span>
      <span className="visually-hidden">{reason}</span>
    </span>
  )
}

/** The same as text. */
export function missingMarkup(reason: string): Markup {
  const sign = element('span', { 'aria-hidden': 'true' }, words(missing))
  const said = element('span', { class: 'visually-hidden' }, words(reason))
  return element('span', { class: 'muted', title: reason }, joined(sign, said))
}
