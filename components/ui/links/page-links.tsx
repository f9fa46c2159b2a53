import { Link } from './link'

/** A link to another page of a list; null: there is none. */
interface PageLink {
  readonly href: string
  readonly name: string
}

/** Links to the first page of a list and to the next; nothing if there is one page. */
export function PageLinks({ label, first, next }: { label: string; first: PageLink | null; next: PageLink | null }) {
  const links = [first, next].filter((link) => link !== null)
  if (links.length === 0) return null
  return (
    <nav className="flex end gap-8 above-12" aria-label={label}>
      {links.map(({ href, name }) => (
        <Link key={name} className="button" href={href}>
          {name}
        </Link>
      ))}
    </nav>
  )
}
