import type { Metric } from '@/lib/run/metrics'
import { axisWords, type SweepAxis } from '@/lib/judge/sweep-axis'
import { Choice, LayoutForm } from './layout-form'
import type { MatrixQuery } from './matrix-url'

interface Props {
  readonly axes: readonly SweepAxis[]
  readonly axis: SweepAxis
  readonly metrics: readonly Metric[]
  readonly query: MatrixQuery
}

const scales = [
  ['', 'automatic'],
  ['linear', 'linear'],
  ['log', 'logarithmic'],
] as const

/** The number, scales and metrics of a sweep as a form of the address. */
export function SweepForm({ axes, axis, metrics, query }: Props) {
  return (
    <LayoutForm query={query} metrics={metrics} fields={['axis', 'x', 'y']}>
      <Choice
        label="Over"
        name="axis"
        value={axis.field}
        options={axes.map((one) => [one.field, axisWords(one)] as const)}
      />
      <Choice label="X axis" name="x" value={query.scales.x ?? ''} options={scales} />
      <Choice label="Y axis" name="y" value={query.scales.y ?? ''} options={scales} />
    </LayoutForm>
  )
}
