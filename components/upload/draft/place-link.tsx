/** Lines of the file, 1-based, and whether the preview shows the first of them. */
export interface Place {
  readonly first: number
  /** Null or `first`: one line. */
  readonly last: number | null
  readonly shown: boolean
}

interface Props {
  readonly place: Place
  /** It begins a sentence: `Line 12:`. */
  readonly opens?: boolean
  /** Below a head that names them: `12–58`. */
  readonly isShort?: boolean
}

/** `line 12` or `lines 12–58`, a link if they are on the page. */
export function PlaceLink({ place, opens = false, isShort = false }: Props) {
  const { first, last, shown } = place
  const isOne = last === null || last === first
  const numbers = isOne ? `${first}` : `${first}–${last}`
  const word = isOne ? 'ine' : 'ines'
  const words = isShort ? numbers : opens ? `L${word} ${numbers}:` : `l${word} ${numbers}`
  return shown ? <a href={`#L${first}`}>{words}</a> : <span>{words}</span>
}
