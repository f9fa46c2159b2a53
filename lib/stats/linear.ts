/** Small systems of linear equations, as lists of rows. */

/** The x with `matrix` · x = `right`, by Gauss–Jordan with pivots; null: singular. */
export function solve(matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] | null {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0])
  for (const column of matrix.keys()) {
    const rest = rows.slice(column)
    const pivot = rest.reduce((most, row) => (Math.abs(row[column] ?? 0) > Math.abs(most[column] ?? 0) ? row : most))
    if (Math.abs(pivot[column] ?? 0) < 1e-14) return null
    rows.splice(rows.indexOf(pivot), 1)
    rows.splice(column, 0, pivot)
    for (const row of rows) {
      if (row === pivot) continue
      const factor = (row[column] ?? 0) / (pivot[column] ?? 1)
      row.forEach((value, at) => (row[at] = value - factor * (pivot[at] ?? 0)))
    }
  }
  return rows.map((row, at) => (row.at(-1) ?? 0) / (row[at] ?? 1))
}

/** The inverse of a square matrix; null: singular. */
export function invert(matrix: readonly (readonly number[])[]): readonly (readonly number[])[] | null {
  const columns: (readonly number[])[] = []
  for (const at of matrix.keys()) {
    const column = solve(
      matrix,
      matrix.map((_, row) => (row === at ? 1 : 0)),
    )
    if (column === null) return null
    columns.push(column)
  }
  return matrix.map((_, row) => columns.map((column) => column[row] ?? 0))
}
