import type { JudgedState } from '@/lib/run/judged-states'
import type { NamedLimit } from '@/lib/run/limits'
import type { RunPast } from '@/lib/history/stored-runs'
import { StripDrawing } from '../charts/plot/rows/strip'
import { prepareStrip } from '../charts/strip'

interface Props {
  /** Absent: not known. */
  readonly past:
    (Pick<RunPast, 'values' | 'outside' | 'expected'> & { readonly limits?: readonly NamedLimit[] }) | undefined
  /** State of the run that it ends with; null: not judged yet. */
  readonly state: JudgedState | null
  /** Name of its metric. */
  readonly metricName: string
}

/** The series of a run up to it, in its expected range; nothing if it is the first run. */
export function PastStrip({ past, state, metricName }: Props) {
  if (past === undefined) return null
  const { values, outside, expected, limits = [] } = past
  const strip = prepareStrip({
    metricName,
    points: values.map((value, at) => ({ value, isOutside: outside[at] === true })),
    levels: expected === null ? [] : [{ from: 0, value: expected.level, low: expected.low, high: expected.high }],
    state,
    limits,
  })
  return strip === null ? null : <StripDrawing strip={strip} height={26} />
}
