import { formatChange, formatMetric, plural } from './format'
import { gateLineName, type GateRow, type GateVerdict } from './gate'

const results: Readonly<Record<GateVerdict['result'], string>> = {
  passed: 'Passed: nothing is worse than the runs before.',
  failed: 'Failed: worse than the runs before.',
  'not-judged': 'Not judged: too little history.',
  waiting: 'Waiting',
  pending: 'Still judging: ask again.',
}

/** The verdict in one sentence. */
export function gateSentence(verdict: GateVerdict): string {
  if (verdict.result !== 'waiting') return results[verdict.result]
  return `Waiting for ${plural(verdict.missing, 'more run')} of this commit.`
}

function rangeOf({ check, metric }: GateRow): string {
  if (check.expectedLow === null || check.expectedHigh === null) return ''
  return `${formatMetric(check.expectedLow, metric.unit)} – ${formatMetric(check.expectedHigh, metric.unit)}`
}

function verdictWords({ verdict, check }: GateRow): string {
  if (verdict !== 'not-judged') return verdict === 'same' ? '~' : verdict
  if (check.kind === 'first') return 'first run'
  const doubt = check.shifted === null ? '' : ', looks different: repeat the run'
  return `not judged (${plural(check.before, 'run')} before, 5 are needed${doubt})`
}

function cellsOf(row: GateRow): readonly string[] {
  const { check, metric } = row
  const change =
    metric.unit === 'ratio' || check.level === null || check.level === 0
      ? ''
      : formatChange(changeOf(check.value / check.level))
  return [
    gateLineName(row),
    metric.shortLabel,
    formatMetric(check.level, metric.unit),
    formatMetric(check.value, metric.unit),
    change,
    rangeOf(row),
    verdictWords(row),
  ]
}

/** What is no change at four decimals is none: rounding of the file must not read as one. */
const changeOf = (factor: number): number => (Math.abs(factor - 1) < 5e-5 ? 0 : factor - 1)

const head = ['series', 'metric', 'before', 'now', 'change', '95 % of runs', 'verdict']

/** The verdict as a plain text table for terminals. */
export function gateText(verdict: GateVerdict): string {
  const rows = [head, ...verdict.rows.map(cellsOf)]
  const widths = head.map((_, at) => Math.max(...rows.map((row) => [...(row[at] ?? '')].length)))
  const lines = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [gateSentence(verdict), '', ...(verdict.rows.length > 0 ? lines : [])].join('\n').trimEnd()
}

const escapeCell = (cell: string): string => cell.replace(/[\\|`*_<>[\]]/g, (letter) => `\\${letter}`)

/** The verdict as Markdown for a comment on a pull request. `links`: name and address of each run. */
export function gateMarkdown(
  verdict: GateVerdict,
  links: readonly { readonly name: string; readonly url: string }[],
): string {
  const row = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`
  const table =
    verdict.rows.length === 0
      ? []
      : [row(head), `|${head.map(() => ' --- ').join('|')}|`, ...verdict.rows.map((one) => row(cellsOf(one))), '']
  const runs = links.map(({ name, url }) => `[${escapeCell(name)}](${url})`)
  return [`**${gateSentence(verdict)}**`, '', ...table, runs.join(' · '), ''].join('\n')
}
