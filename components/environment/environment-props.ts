import type { Instrument } from '@/lib/instrument/instrument'
import type { RunPast } from '@/lib/history/stored-runs'
import type { SeriesTrends } from '@/lib/levels/trend'
import type { EnvironmentFactor, EnvironmentHistory } from '@/lib/rules/project-environments'
import type { JudgedState } from '@/lib/run/judged-states'
import type { Span } from './environment-url'
import type { VisibleChange } from '@/lib/board/visible-changes'

/** What the page of an environment shows. */
export interface EnvironmentProps {
  readonly slug: string
  readonly environment: EnvironmentHistory
  /** Null: its runs have no figure that follows a machine. */
  readonly factor: EnvironmentFactor | null
  readonly visible: readonly VisibleChange[]
  /** By series id: the noise of its newest load. */
  readonly trends: readonly SeriesTrends[]
  /** Of the newest run of each series, by run id. */
  readonly pasts: ReadonlyMap<string, RunPast>
  readonly states: ReadonlyMap<string, JudgedState>
  /** What runs of identical code show of it. */
  readonly instrument: Instrument
  /** When the page is drawn, ms since 1970. */
  readonly nowMs: number
  readonly span: Span
  readonly tables: readonly string[]
}
