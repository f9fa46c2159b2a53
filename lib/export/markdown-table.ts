/** A table as words: the first column is text. */
export interface WordedTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A person's text on one line of Markdown. */
export const markdownWords = (text: string): string => text.replace(/[\\|`*_<>[\]]/g, '\\$&').replace(/\s+/g, ' ')

/** A table as Markdown (GFM). */
export function markdownTable({ head, rows }: WordedTable): string {
  const line = (cells: readonly string[]) => `| ${cells.map(markdownWords).join(' | ')} |\n`
  return (
    line(head) + line(head.map((_, at) => (at === 0 ? '---' : '---:'))).replaceAll('\\', '') + rows.map(line).join('')
  )
}
