import type { Course } from '@/lib/experiment/course'
import type { ProgressWords } from '@/lib/experiment/running-words'
import type { InstrumentWords } from '@/lib/instrument/instrument-words'
import type { ExperimentProgress, StoredExperiment } from '@/lib/experiment/stored-experiment'

/** All that the page of an experiment shows. */
export interface ExperimentProps {
  readonly slug: string
  readonly experiment: StoredExperiment
  readonly progress: ExperimentProgress
  readonly words: ProgressWords
  readonly course: Course
  /** Where its runs ran; null: none names it. */
  readonly environment: string | null
  /** What that environment shows; null: none is named. */
  readonly instrument: InstrumentWords | null
  /** The address that the browser used. */
  readonly origin: string
  readonly nowMs: number
  /** Charts that are shown as tables. */
  readonly tables: readonly string[]
}
