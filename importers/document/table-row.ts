/** Splits a row of a Markdown table (with or without outer pipes) into its cells; null when the line is none. */
export function splitTableRow(text: string): string[] | null {
  const trimmed = text.trim()
  if (trimmed.length > 4_000 || !trimmed.includes('|')) return null
  const inner = trimmed.replace(/^\|/, '').replace(/(?<!\\)\|$/, '')
  const cells = inner.split(/(?<!\\)\|/).map(cleanCell)
  return cells.length < 2 ? null : cells
}

/** Whether the cells are those of the row under a table's header: `---`, `:---:`. */
export function isDelimiterRow(cells: readonly string[]): boolean {
  return cells.every((cell) => /^:?-{1,100}:?$/.test(cell))
}

/** A cell's text without marks: escapes, emphasis, code, links, HTML tags. */
function cleanCell(cell: string): string {
  return cell
    .replaceAll('\\|', '|')
    .replace(/\[([^\][]{1,200})\]\([^()]{0,500}\)/g, '$1')
    .replace(/<\/?[a-z][^<>]{0,100}>/gi, ' ')
    .replace(/\*\*|__|`/g, '')
    .replace(/^\*([^*]{1,200})\*$/, '$1')
    .replace(/\\([_*#[\]()~-])/g, '$1')
    .trim()
}
