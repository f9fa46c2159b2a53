/** An operation of the API, described in words. */
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
  /** The request body, as a type or in words; null: none. */
  readonly body: string | null
  readonly answers: readonly {
    readonly status: number
    readonly words: string
    readonly codes: readonly string[]
    /** TypeScript type of the JSON answer; null: not JSON, or a problem. */
    readonly json: string | null
  }[]
}

/** A named type, which others refer to by its name. */
export interface ApiType {
  readonly name: string
  readonly words: string | null
  /** In TypeScript's syntax; descriptions of fields follow `//`. */
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
