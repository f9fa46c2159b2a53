/** A fact as a page, file, message or response shows it. */
export interface Seen {
  /** Where: an address, or a query. */
  readonly surface: string
  readonly key: string
  /** The printed part of the fact. */
  readonly part: string
  /** Unrounded, by part; null: only the text is known. */
  readonly value: Readonly<Record<string, number | string | null>> | null
  /** As printed; null: a machine-readable response. */
  readonly text: string | null
  /** What colours it; null: nothing. */
  readonly tone: string | null
  /** Its table and column on the page; null: none. */
  readonly column: string | null
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#x27': "'" }

/** Text with entities decoded, and all spaces alike. */
export const decoded = (text: string): string =>
  text.replace(/&(#x27|#39|amp|lt|gt|quot|nbsp);/g, (all, name: string) =>
    name === '#39' ? "'" : (entities[name] ?? all),
  )

/** Words with all spaces alike, and minus signs as plain hyphens. */
export const plain = (text: string): string =>
  decoded(text)
    .replaceAll(/[\u00a0\u202f\s]+/g, ' ')
    .replaceAll('\u2212', '-')
    .trim()

/** A fact from a response or a machine-readable text. */
export const said = (
  surface: string,
  { key, value }: Pick<Seen, 'key' | 'value'>,
  part = 'value',
  text: string | null = null,
): Seen => ({ surface, key, part, value, text: text === null ? null : plain(text), tone: null, column: null })

/** A link to a comparison. */
export interface SeenLink {
  readonly surface: string
  /** Its sides, as in an address. */
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

/** Everything collected from one project. */
export interface Statements {
  readonly facts: readonly Seen[]
  readonly links: readonly SeenLink[]
  readonly changes: readonly SeenChange[]
}

/** The parts of a key: its kind first. */
export const partsOf = (key: string): readonly string[] => key.split(' ').map(decodeURIComponent)
