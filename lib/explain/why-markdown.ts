import type { WhyReport } from './why-report'

/** A report as a page of Markdown. */
export function whyMarkdown({ sentence, tables, notes }: WhyReport): string {
  const parts = [
    `**${escaped(sentence)}.**`,
    ...tables.map(({ title, heads, rows }) =>
      [
        ...(title === '' ? [] : [`${escaped(title)}:`, '']),
        line(heads),
        line(heads.map(() => '---')),
        ...rows.map(line),
      ].join('\n'),
    ),
    ...notes.map((note) => `${escaped(note)}.`),
  ]
  return `${parts.join('\n\n')}\n`
}

const escaped = (text: string): string => text.replace(/[\\|`*_<>[\]]/g, '\\$&')
const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`
