/**
 * Who a query is made for. Every query takes one and puts it into its `where`. Until accounts exist the server answers
 * loopback only and everyone there is `local`, who may see every project. `system` is background work for one project.
 */
export type Viewer =
  | { readonly kind: 'local' }
  | { readonly kind: 'system'; readonly projectId: string }
  | { readonly kind: 'share'; readonly runIds: readonly string[] }

/** The person in front of a server that listens on loopback only. */
export const localViewer: Viewer = { kind: 'local' }
