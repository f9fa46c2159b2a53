import type { ViewerOf } from './start-root'

declare global {
  /** The modules of the first script that the other one uses. */
  var tailboardShared: Readonly<Record<string, unknown>>
  /** Set by the other script. */
  var tailboardViewer: ViewerOf | undefined
}
