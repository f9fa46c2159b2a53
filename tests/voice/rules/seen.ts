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
