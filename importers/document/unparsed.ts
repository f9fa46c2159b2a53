import { printingTools } from '../../lib/run/tools'
import { clipText } from '../../lib/text'
import type { ImportProblem } from '../../lib/run/run'
import type { FoundCommand } from './command'
import { readLineFacts } from './facts'
import type { DocumentLine } from './markdown'
import { readPlainText } from './markdown-inline'
import type { DocumentStructure, Table } from './structure'
import { infoAt, warningAt } from '../import-problem'

const unit = String.raw`(?:ns|us|µs|ms|s|secs?|seconds|B|[KMG]i?B|bytes|%|rps|req\/s|requests|responses)`
const dataForms: readonly RegExp[] = [
  // `Total time: 12.3 ms`, `Requests/sec: 1234`
  new RegExp(String.raw`^\s*[A-Za-z][\w /+.()-]{0,50}:\s+-?\d[\d,.]{0,30}(?:e[+-]?\d+)? ?${unit}(?:\s|$)`, 'i'),
  /^\s*(?:requests?|req|transfer|transactions)\s?(?:\/|per )\s?sec(?:ond)?:?\s+\d/i,
  // `[2ms,    4ms]    1474  73.70%`
  /^\s*\[[^\]]{1,60}\]\s+-?\d/,
  // `50%    3.52ms`
  /^\s*\d{1,3}(?:\.\d{1,6})?%\s+-?\d[\d.]{0,20} ?[a-zµ]{0,4}\s*$/,
  // Half a table.
  /^\s*\|.{0,200}\d/,
]
const codeLanguages =
  /^(?:json5?|ya?ml|toml|jsx?|tsx?|javascript|typescript|go|golang|python|py|rust|rs|java|kotlin|c|cpp|csharp|ruby|rb|php|sql|html|css|xml|hcl|terraform|dockerfile|diff|mermaid|elixir|lua|make|makefile|ini)$/
const maxProblems = 100

/** A line that appears to contain results. */
function isDataLike(text: string): boolean {
  return text.length <= 500 && /\d/.test(text) && (dataForms.some((form) => form.test(text)) || hasColumns(text))
}

/** Three columns or more, at least two of them numbers. */
function hasColumns(text: string): boolean {
  const cells = text.trim().split(/ {2,}|\t+/)
  return cells.length >= 3 && cells.filter((cell) => /^-?\d[\d,.]*(?:%|[a-zµ/]{1,5})?$/i.test(cell)).length >= 2
}

/**
 * What was left out of a document: tables of figures that no importer takes, and lines that appear to contain results.
 */
export function listUnparsed(structure: DocumentStructure, commands: readonly FoundCommand[]): ImportProblem[] {
  const tables: ImportProblem[] = []
  const unread: DocumentLine[] = []
  const commandLines = new Set(commands.map(({ line }) => line))
  for (const entry of structure.entries) {
    if (entry.kind === 'table') {
      if (holdsFigures(entry)) tables.push(describeTable(entry))
    } else if (entry.kind === 'code') {
      if (!codeLanguages.test(entry.fence.language)) unread.push(entry.line)
    } else if (entry.kind === 'paragraph') unread.push(...entry.lines)
  }
  /** Read as a fact: see remarks.ts. */
  const isRead = (text: string) => {
    const { facts } = readLineFacts(text.trim(), { isSettings: false })
    return facts.length > 0 && (structure.isMarkdown || facts.every(({ kind }) => kind !== 'measure'))
  }
  const groups = groupLines(
    unread.filter(
      ({ number, text, fence }) => !commandLines.has(number) && isDataLike(text) && !(fence === null && isRead(text)),
    ),
  )
  const shown = groups.slice(0, maxProblems)
  const hidden = groups.length - shown.length
  const problems = [...tables.slice(0, maxProblems), ...shown]
  if (hidden > 0)
    problems.push(
      warningAt(
        'not-understood',
        [groups[maxProblems]?.line ?? null, groups.at(-1)?.lastLine ?? null],
        `${hidden} more places with unparsed lines`,
      ),
    )
  return problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
}

function holdsFigures({ rows }: Table): boolean {
  return rows.some((row) => row.filter((cell) => /^[~<>≈]?\s*-?\d/.test(readPlainText(cell))).length > 0)
}

function describeTable({ section, line, lastLine, columns, caption }: Table): ImportProblem {
  const names = [section.title, caption === null ? '' : readPlainText(caption)].filter((name) => name !== '')
  const title = names.length === 0 ? 'a table' : `table "${names.join(': ')}"`
  const shown = columns.map(readPlainText).join(', ')
  return infoAt(
    'not-imported',
    [line, lastLine],
    clipText(`${title} (${shown}) has no figures of ${printingTools('or')}: not imported`, 500),
  )
}

/** Consecutive lines are one problem. */
function groupLines(lines: readonly DocumentLine[]): ImportProblem[] {
  const groups: { first: DocumentLine; last: number }[] = []
  for (const line of lines) {
    const group = groups.at(-1)
    if (group !== undefined && line.number - group.last <= 2) group.last = line.number
    else groups.push({ first: line, last: line.number })
  }
  return groups.map(({ first, last }) =>
    warningAt('not-understood', [first.number, last], `unparsed: ${clipText(first.text.trim(), 120)}`),
  )
}
