import { Markdown } from '../run/markdown'

/** What the maker of the share wrote beside the figures. Nothing when there is nothing. */
export function ShareNotes({ notes }: { readonly notes: string }) {
  if (notes === '') return null
  return (
    <section className="card" aria-label="Notes">
      <h2 className="section-title">Notes</h2>
      <Markdown text={notes} />
    </section>
  )
}
