import type { Ended, Running } from '@/lib/experiment/experiment'
import { intervalWords } from '@/lib/experiment/experiment-words'
import { columnUnit, formatChange, formatInColumn, roundChange, type ColumnUnit } from '@/lib/format'
import type { Metric } from '@/lib/run/metrics'
import { fit, printable, type Paint } from '../terminal'
import type { MeasuredRound } from './round-runner'

const widths = { round: 5, order: 5, value: 8, change: 9 } as const

/** The lines of rounds while they run: one unit for all of them, that of the first value. */
export class RoundsTable {
  private column: ColumnUnit | null = null
  private valid = 0

  constructor(
    private readonly arms: readonly string[],
    private readonly metric: Metric,
    private readonly paint: Paint,
  ) {}

  head(): string {
    const arms = this.arms.map((arm) => fit(arm, widths.value, 'right'))
    const cells = [fit('round', widths.round), fit('order', widths.order), ...arms]
    const rest = [fit('head/base', widths.change, 'right'), fit('so far', widths.change, 'right'), 'interval']
    return this.paint([...cells, ...rest].join('  ').trimEnd(), 'dim')
  }

  /** `isEvaluated`: the interval of this round counts. */
  line(round: MeasuredRound, standing: Ended | Running, isEvaluated: boolean): string {
    const number = fit(String(this.valid + 1), widths.round, 'right')
    if (round.kind === 'void') {
      const end = standing.kind === 'running' ? '. Repeated.' : '.'
      return this.paint(printable(`${number}  void: ${round.arm}: ${round.reason}${end}`), 'red')
    }
    this.valid += 1
    const values = this.arms.map((arm) => round.values[arm] ?? null)
    this.column ??= columnUnit(this.metric.unit, values)
    const column = this.column
    const { base = 1, head = 1 } = round.values
    const effect = standing.effect
    const cells = [
      number,
      fit(round.order.map((arm) => arm[0] ?? '').join(' '), widths.order),
      ...values.map((value) => fit(printable(formatInColumn(value, this.metric.unit, column)), widths.value, 'right')),
      fit(printable(formatChange(head / base - 1)), widths.change, 'right'),
      fit(effect === null ? '' : printable(roundChange(effect.effectRatio)), widths.change, 'right'),
      effect !== null && isEvaluated ? printable(intervalWords(effect)) : '',
    ]
    return cells.join('  ').trimEnd()
  }
}
