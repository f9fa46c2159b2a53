import { maxValues } from '../../lib/cube/cube'
import { ByteKeys } from '../text/byte-keys'
import { ValueColumn } from './value-column'

/** An attribute whose values are texts; with more of them than a cube has values it is an id. */
export class TextColumn extends ValueColumn {
  readonly keys = new ByteKeys(maxValues + 1)

  /** The row's value is the text at `from`…`to`. */
  set(row: number, view: DataView, from: number, to: number): void {
    this.codes[row] = this.keys.find(view, from, to)
  }
}
