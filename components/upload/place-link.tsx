/** Lines of the file, 1-based, and whether the preview shows the first of them. */
export interface Place {
  readonly first: number
  /** Null or `first`: one line. */
  readonly last: number | null
  readonly shown: boolean
}

/** `line 12` or `lines 12–58`, a link where they are on the page; `Line 12:` where it opens a sentence. */
export function PlaceLink({ place, opens = false }: { readonly place: Place; readonly opens?: boolean }) {
  const { first, last, shown } = place
  const plain = last === null || last === first ? `line ${first}` : `lines ${first}–${last}`
  const words = opens ? `L${plain.slice(1)}:` : plain
  return shown ? <a href={`#L${first}`}>{words}</a> : <span>{words}</span>
}
