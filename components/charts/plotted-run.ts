import type { ImportedRun } from '../../lib/run/run'
import { seriesStyle } from './plot/scale'
import type { Series } from './plot/model'

/** A run as plots take it. */
export interface PlottedRun {
  readonly id: string
  readonly name: string
  /** Place of its side, where repeats of one side share a style; absent: its own place. */
  readonly styleIndex?: number | undefined
  /** The side that it repeats a run of, and how many runs that has; absent: it stands for itself. */
  readonly side?: { readonly name: string; readonly size: number } | undefined
  readonly imported: Pick<ImportedRun, 'latencies' | 'tool' | 'requests'>
}

/** A run as the series at this place. */
export const seriesOf = ({ id, name, side, styleIndex }: Omit<PlottedRun, 'imported'>, index: number): Series => ({
  id,
  name,
  side,
  style: seriesStyle(styleIndex ?? index),
})
