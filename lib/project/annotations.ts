import type { UtcIso } from '../run/run'

/** Kinds of events outside of the runs. */
export const annotationKinds = ['deploy', 'config', 'infrastructure', 'other'] as const
export type AnnotationKind = (typeof annotationKinds)[number]

/** An event outside of the runs, drawn on trends. */
export interface Annotation {
  readonly id: string
  readonly kind: AnnotationKind
  readonly text: string
  readonly at: UtcIso
  /** Null: it applies to the whole project. */
  readonly scenario: string | null
}
