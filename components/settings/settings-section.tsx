import type { ReactNode } from 'react'

/** A part of the settings under its heading. `id`: the target of links. */
export function Section({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <section className="above-24" id={id}>
      <h2 className="section-title">{title}</h2>
      {children}
    </section>
  )
}
