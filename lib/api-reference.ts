/** One operation of the API, in words. */
export interface ApiOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  /** Who may use it: a sentence. */
  readonly needs: string
  readonly parameters: readonly {
    readonly name: string
    readonly place: 'path' | 'query' | 'header'
    readonly isRequired: boolean
    readonly words: string | null
    readonly type: string
  }[]
  /** What is sent, as a type or in words; null: nothing. */
  readonly body: string | null
  readonly answers: readonly {
    readonly status: number
    readonly words: string
    readonly codes: readonly string[]
    /** The type of its JSON; null: it is no JSON, or a problem. */
    readonly json: string | null
  }[]
}

/** A type with a name: others refer to it by that. */
export interface ApiType {
  readonly name: string
  readonly words: string | null
  /** As TypeScript writes it; what is said of a field stands behind `//`. */
  readonly text: string
}

/** Operations about one thing. */
export interface ApiGroup {
  readonly name: string
  readonly operations: readonly ApiOperation[]
}

/** All of the API. */
export interface ApiWords {
  readonly groups: readonly ApiGroup[]
  /** By name. */
  readonly types: readonly ApiType[]
}
