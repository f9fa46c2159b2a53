import { Markdown } from '../run/markdown'

/** The maker's text beside the figures. Nothing when there is none. */
export function ShareNotes({ notes }: { readonly notes: string }) {
  if (notes === '') return null
  return (
    <section className="card" aria-label="Notes">
      <h2 className="section-title">Notes</h2>
      <Markdown text={notes} />
    </section>
  )
}
