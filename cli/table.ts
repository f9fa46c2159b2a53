import { fit, widthOf, type Paint, type Style } from './terminal'

/** A cell and how it is printed. */
export interface Cell {
  readonly text: string
  readonly style?: Style
}

/** A column of a table of text. */
export interface Column {
  readonly head: string
  readonly align: 'left' | 'right'
  readonly cells: readonly Cell[]
}

const between = '  '

const widthOfColumn = ({ head, cells }: Column): number =>
  Math.max(widthOf(head), ...cells.map(({ text }) => widthOf(text)))

/** Columns that a table takes. */
export const widthOfTable = (columns: readonly Column[]): number =>
  columns.reduce((sum, column) => sum + widthOfColumn(column) + between.length, -between.length)

/** The lines of a table, its head first; the longest column gives way if it is too wide. */
export function tableLines(columns: readonly Column[], width: number, paint: Paint): readonly string[] {
  const widths = columns.map(widthOfColumn)
  for (let spare = width - widthOfTable(columns); spare < 0; spare += 1) {
    const at = widths.indexOf(Math.max(...widths))
    widths[at] = (widths[at] ?? 1) - 1
  }
  const count = Math.max(0, ...columns.map(({ cells }) => cells.length))
  const line = (cellOf: (column: Column) => Cell) =>
    columns
      .map((column, at) => {
        const { text, style = 'plain' } = cellOf(column)
        const isLast = at === columns.length - 1 && column.align === 'left'
        const shown = fit(text, widths[at] ?? 0, column.align)
        return paint(isLast ? shown.trimEnd() : shown, style)
      })
      .join(between)
      .trimEnd()
  const head = line(({ head: text }) => ({ text, style: 'dim' }))
  return [head, ...Array.from({ length: count }, (_, row) => line(({ cells }) => cells[row] ?? { text: '' }))]
}
