/** A fact as a page, file, message or answer says it. */
export interface Seen {
  /** Where: an address, or what was asked. */
  readonly surface: string
  readonly key: string
  /** What of the fact is printed there. */
  readonly part: string
  /** Unrounded, by part; null: only the text is known. */
  readonly value: Readonly<Record<string, number | string | null>> | null
  /** As printed; null: an answer for machines. */
  readonly text: string | null
  /** What colours it; null: nothing. */
  readonly tone: string | null
  /** Table and column of the page that it stands in; null: in none. */
  readonly column: string | null
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#x27': "'" }

/** Text with its entities as characters, and all spaces alike. */
export const decoded = (text: string): string =>
  text.replace(/&(#x27|#39|amp|lt|gt|quot|nbsp);/g, (all, name: string) =>
    name === '#39' ? "'" : (entities[name] ?? all),
  )

/** Words with spaces that are all alike, and minus signs that numbers begin with. */
export const plain = (text: string): string =>
  decoded(text)
    .replaceAll(/[\u00a0\u202f\s]+/g, ' ')
    .replaceAll('\u2212', '-')
    .trim()

/** A fact as an answer or a text for machines says it. */
export const said = (
  surface: string,
  { key, value }: Pick<Seen, 'key' | 'value'>,
  part = 'value',
  text: string | null = null,
): Seen => ({ surface, key, part, value, text: text === null ? null : plain(text), tone: null, column: null })

/** A link to a comparison. */
export interface SeenLink {
  readonly surface: string
  /** Its sides, as an address has them. */
  readonly sides: readonly (readonly string[])[]
  readonly text: string
}

/** A change that names the runs it was found in: their comparison has to show it. */
export interface SeenChange {
  readonly surface: string
  readonly sides: string
  readonly metricId: string
  readonly effect: number
}

/** All that was seen of one project. */
export interface Voice {
  readonly facts: readonly Seen[]
  readonly links: readonly SeenLink[]
  readonly changes: readonly SeenChange[]
}

/** The parts of a key: its kind first. */
export const partsOf = (key: string): readonly string[] => key.split(' ').map(decodeURIComponent)
