/** A cell: a number is written plainly (decimal point, no grouping), null is empty. */
export type CsvCell = string | number | null

/** Prefixes that make spreadsheets run a text as a formula, also after spaces that they drop. */
const formulaStart = /^[\s\u0000]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]/u

/**
 * Rows as CSV (RFC 4180, CRLF). A text that a spreadsheet would run gets an apostrophe before it; numbers, even
 * negative ones, are never changed.
 */
export function toCsv(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')
}

function cellText(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : ''
  const safe = formulaStart.test(cell) || /^[\t\r\n]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}
