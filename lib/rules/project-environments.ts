import type { SeriesSummary } from '../history/stored-series'
import type { EnvironmentEvent } from './rule-events'

/** A series that runs on an environment. */
export interface SeriesOfEnvironment extends Pick<SeriesSummary, 'id' | 'scenario' | 'variant'> {
  /** Its code never changes: it measures the environment. */
  readonly isControl: boolean
}

/** A time at which an environment itself became slower. */
export interface ReportedShift extends EnvironmentEvent {
  readonly alertId: string
}

/** An environment of a project. */
export interface ProjectEnvironment {
  readonly name: string
  /** Newest first. */
  readonly shifts: readonly ReportedShift[]
  /** Controls first. */
  readonly series: readonly SeriesOfEnvironment[]
}
