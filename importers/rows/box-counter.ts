import type { RowBox } from '../../lib/cube/row-box'
import type { BoxedCubes, Cube } from '../../lib/cube/cube'
import type { BucketRange } from './bucket-range'
import { bytesOfKey, statusOfKey } from './joint-key'
import { batchRows, type SampleBatch } from './sample-batch'
import { ValueColumn, type CountedRows, type CountedValue, type NameOf } from './value-column'

/** A column with the name of its attribute, and those of its values. */
export interface NamedColumn {
  readonly name: string
  readonly column: ValueColumn
  readonly nameOf: NameOf
}

/**
 * Counts the rows in a box apart, value by value, beside the columns of all rows: `target`, `status` and `bytes`, which
 * are counted together there, and those that are counted row by row. Memory: 6 kB a value.
 */
export class BoxCounter {
  /** Rows of the batch in the box. */
  private readonly rows = new Int32Array(batchRows)
  /** Those in the box, by the column of all rows. */
  private readonly columns = new Map<ValueColumn, ValueColumn>()
  private readonly fromNs: number
  private readonly toNs: number
  private readonly aboveNs: number
  private readonly belowNs: number

  /** `originS`: the second that the times of the box count from, as rows have seconds. */
  constructor(
    { fromMs, toMs, aboveMs, belowMs }: RowBox,
    private readonly originS: number,
    private readonly range: BucketRange,
    private readonly of: { readonly target: ValueColumn; readonly status: ValueColumn; readonly bytes: ValueColumn },
  ) {
    this.fromNs = nsOf(fromMs, -Infinity)
    this.toNs = nsOf(toMs, Infinity)
    this.aboveNs = nsOf(aboveMs, -Infinity)
    this.belowNs = nsOf(belowMs, Infinity)
  }

  /** Counts a batch before the columns forget it. `codesOf`: the other columns, and the value of a row in each. */
  add(
    batch: SampleBatch,
    counted: CountedRows,
    codesOf: readonly (readonly [column: ValueColumn, codeOf: (row: number) => number])[],
  ): void {
    const count = this.find(batch)
    const take = (column: ValueColumn, codeOf: (row: number) => number) => {
      const own = this.columnOf(column)
      for (let at = 0; at < count; at++) own.codes[this.rows[at] ?? 0] = codeOf(this.rows[at] ?? 0)
      own.takeSome(this.rows, count, counted)
    }
    take(this.of.target, (row) => batch.targets[row] ?? -1)
    take(this.of.status, (row) => statusOfKey(counted.keys[row] ?? 0))
    take(this.of.bytes, (row) => bytesOfKey(counted.keys[row] ?? 0))
    for (const [column, codeOf] of codesOf) take(column, codeOf)
  }

  private find({ size, seconds, nanos, latencyNs }: SampleBatch): number {
    const { rows, originS, fromNs, toNs, aboveNs, belowNs } = this
    let count = 0
    for (let row = 0; row < size; row++) {
      const atNs = ((seconds[row] ?? 0) - originS) * 1e9 + (nanos[row] ?? 0)
      const ns = latencyNs[row] ?? 0
      if (atNs >= fromNs && atNs < toNs && ns >= aboveNs && ns < belowNs) rows[count++] = row
    }
    return count
  }

  private columnOf(column: ValueColumn): ValueColumn {
    const known = this.columns.get(column)
    if (known !== undefined) return known
    const own = new ValueColumn(column.name, this.range)
    this.columns.set(column, own)
    return own
  }

  /** The rows in the box and all others of a run, whose rows are `whole` and whose columns these. */
  build(cube: Cube, whole: CountedValue, columns: readonly NamedColumn[]): BoxedCubes {
    const own = this.columnOf(this.of.status).total()
    const both = columns.flatMap(({ name, column, nameOf }) => {
      const built = column.buildBoxed(whole, { column: this.columnOf(column), whole: own }, nameOf)
      return built === null ? [] : [{ name, ...built }]
    })
    const of = (side: 'inside' | 'outside', rows: number, sumMs: number, all: Uint32Array): Cube => ({
      ...cube,
      ...{ rows, sumMs, all, numbers: [], slices: [], users: null, peakInFlight: null },
      attributes: both.map((one) => ({ ...one[side], name: one.name })),
    })
    const sumMs = own.sumNs / 1e6
    const others = whole.counts.map((count, at) => count - (own.counts[at] ?? 0))
    return {
      inside: of('inside', own.rows, sumMs, own.counts),
      outside: of('outside', whole.rows - own.rows, cube.sumMs - sumMs, others),
    }
  }
}

/** Bounds are those of cells, which are whole nanoseconds. */
const nsOf = (ms: number | null, open: number): number => (ms === null ? open : Math.round(ms * 1e6))
