/** Requests of the server to PostgreSQL's thread: one at a time, each answered by a `FromDatabase`. */
export type ToDatabase =
  /** Makes a database in an empty folder. Its files are not synced yet. */
  | { readonly kind: 'make'; readonly folder: string }
  | { readonly kind: 'start'; readonly folder: string }
  /** Whole messages of PostgreSQL's protocol. */
  | { readonly kind: 'exchange'; readonly messages: Uint8Array }
  /** Checkpoints and ends. */
  | { readonly kind: 'close' }

/** `failed`: the instance of PostgreSQL is broken, or none was started. */
export type FromDatabase =
  | { readonly kind: 'done'; readonly answer: Uint8Array | null }
  | { readonly kind: 'failed'; readonly message: string; readonly hasNoRoom: boolean }
