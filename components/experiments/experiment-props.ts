import type { Course } from '@/lib/experiment/course'
import type { ProgressWords } from '@/lib/experiment/running-words'
import type { ExperimentProgress, StoredExperiment } from '@/lib/experiment/stored-experiment'

/** All that the page of an experiment shows. */
export interface ExperimentProps {
  readonly slug: string
  readonly experiment: StoredExperiment
  readonly progress: ExperimentProgress
  readonly words: ProgressWords
  readonly course: Course
  /** The address that the browser used. */
  readonly origin: string
  readonly nowMs: number
  /** Charts that are shown as tables. */
  readonly tables: readonly string[]
}
