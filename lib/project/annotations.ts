import type { UtcIso } from '../run/run'

/** What may have happened outside of the runs. */
export const annotationKinds = ['deploy', 'config', 'infrastructure', 'other'] as const
export type AnnotationKind = (typeof annotationKinds)[number]

/** Something that happened outside of the runs, drawn on trends. */
export interface Annotation {
  readonly id: string
  readonly kind: AnnotationKind
  readonly text: string
  readonly at: UtcIso
  /** Null: it concerns the whole project. */
  readonly scenario: string | null
}
