import { changeText, judgementWords } from '@/components/compare/delta-words'
import { wordTable } from '@/components/shared/comparison-files'
import { sameFileWords } from '@/lib/files/sides'
import { plural } from '@/lib/format'
import { intervalWords, type ComparisonRow, type Delta } from '@/lib/judge/delta'
import { shortPair } from '@/lib/judge/comparability'
import type { Compared } from './compared'
import { plotColumns, plotLines } from './percentile-plot'
import { tableLines, widthOfTable, type Cell, type Column } from './table'
import { columnsOf, fit, painter, printable, wrap, type Paint, type Terminal } from './terminal'

const readableColumns = 100

/** A comparison for a terminal: sides, what else differs, the table, then the verdict and what it rests on. */
export function comparisonText({ title, prepared, isSame }: Compared, terminal: Terminal): string {
  const width = columnsOf(terminal)
  const paint = painter(terminal)
  const textWidth = Math.min(width, readableColumns)
  const { sentence, caution } = prepared.comparison
  const notes = [...(isSame ? [sameFileWords] : []), differencesLine(prepared)].filter((note) => note !== '')
  const blocks = [
    title === '' ? [] : [paint(fit(printable(title), textWidth).trimEnd(), 'bold')],
    sideLines(prepared, textWidth),
    notes.flatMap((note) => wrap(note, textWidth).map((line) => paint(line, 'dim'))),
    ...prepared.comparison.candidates.map((_, at) => candidateLines(prepared, at, width, paint)),
    width >= plotColumns ? plotLines(prepared, textWidth, paint) : [],
    wrap(`${sentence}.`, textWidth).map((line) => paint(line, 'bold')),
    caution === '' ? [] : wrap(`${caution}.`, textWidth),
  ]
  return `${blocks.flatMap((lines) => (lines.length === 0 ? [] : [lines.join('\n')])).join('\n\n')}\n`
}

/** What else differs, as the page's chips: short values beside their field, of others the field alone. */
function differencesLine({ differences }: Prepared): string {
  const parts = differences.map(({ field, values }) => {
    const pair = shortPair(values)
    return pair === null ? field : `${field} ${pair[0]} → ${pair[1]}`
  })
  return parts.length === 0 ? '' : `What differs: ${parts.join(' · ')}`
}

type Prepared = Compared['prepared']

/** `base  a.txt, 8 runs`. */
function sideLines({ sides, names }: Prepared, width: number): readonly string[] {
  return sides.map((side, at) => {
    const role = at === 0 ? 'base' : sides.length === 2 ? 'head' : `side ${at + 1}`
    const runs = side.length === 1 ? '' : `, ${plural(side.length, 'run')}`
    return fit(printable(`${role}  ${names[at] ?? ''}${runs}`), width).trimEnd()
  })
}

/** The table of one candidate beside the base; a figure takes two lines where a row does not fit. */
function candidateLines(prepared: Prepared, at: number, width: number, paint: Paint): readonly string[] {
  const { rows } = prepared.comparison
  const words = wordTable(prepared).rows.map((row) => row.map(printable))
  const isAlone = prepared.comparison.candidates.length === 1
  const value = (place: number) => words.map((row): Cell => ({ text: row[place] ?? '' }))
  const column = (head: string, align: Column['align'], cells: readonly Cell[]): Column => ({ head, align, cells })
  const change = rows.map((row) => cellOf(row, at, ({ delta }) => changeText(delta, row.metric)))
  const interval = rows.map((row) => cellOf(row, at, ({ delta }) => intervalWords(delta) ?? ''))
  const verdict = rows.map((row) => verdictCell(row, at, true))
  const figures = [
    column('metric', 'left', value(0)),
    column('base', 'right', value(1)),
    column(isAlone ? 'head' : `side ${at + 2}`, 'right', value(2 + 3 * at)),
    column('change', 'right', change),
  ]
  const shown = interval.some(({ text }) => text !== '') ? [column('interval (95 %)', 'left', interval)] : []
  const full = [...figures, ...shown, column('verdict', 'left', verdict)]
  if (widthOfTable(full) <= width) return tableLines(full, width, paint)
  const short = [
    ...full.slice(0, -1),
    column(
      'verdict',
      'left',
      rows.map((row) => verdictCell(row, at, false)),
    ),
  ]
  if (widthOfTable(short) <= width) return tableLines(short, width, paint)
  return stackedLines(short, width, paint)
}

/** Each row as its name and, below, its cells. */
function stackedLines([name, ...columns]: readonly Column[], width: number, paint: Paint): readonly string[] {
  const [base, head, ...others] = columns
  return (name?.cells ?? []).flatMap(({ text }, row) => {
    const of = (column: Column | undefined): Cell => column?.cells[row] ?? { text: '' }
    const values = { text: `${of(base).text} → ${of(head).text}` }
    const parts = [values, ...others.map(of)].filter((cell) => cell.text !== '')
    const lines: Cell[][] = [[]]
    for (const part of parts) {
      const line = lines.at(-1) ?? []
      const taken = line.reduce((sum, cell) => sum + cell.text.length + 2, 2)
      if (line.length > 0 && taken + part.text.length > width) lines.push([part])
      else line.push(part)
    }
    const indented = lines.map((line) => `  ${line.map((cell) => paint(cell.text, cell.style ?? 'plain')).join('  ')}`)
    return [paint(fit(text, width).trimEnd(), 'bold'), ...indented]
  })
}

function cellOf(row: ComparisonRow, at: number, read: (of: { readonly delta: Delta }) => string): Cell {
  const delta = row.deltas[at]
  return { text: delta === undefined ? '' : printable(read({ delta })) }
}

function verdictCell(row: ComparisonRow, at: number, withBasis: boolean): Cell {
  const delta = row.deltas[at]
  if (delta === undefined) return { text: '' }
  const { word, basis, tone } = judgementWords(delta, row.metric)
  const shown = printable(withBasis && basis !== '' ? `${word}, ${basis}` : word)
  if (tone === 'muted') return { text: shown, style: 'dim' }
  return { text: shown, style: tone === 'better' ? 'green' : 'red' }
}
