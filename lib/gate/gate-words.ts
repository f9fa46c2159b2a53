import { formatChange, formatDay, formatMetric, formatSet, plural, roundChangeWords } from '../format'
import { verdictWords as metricWords } from '../judge/judgement-sentence'
import { defaultMetric, sentenceLabel } from '../run/metrics'
import { minJudged } from '../levels/level-check'
import {
  failsBuild,
  gateRowName,
  isSilent,
  type GateChangeRow,
  type GateLevelRow,
  type GateRow,
  type GateVerdict,
} from './gate'
import { heldAgainst, sinceWords } from '../run/judgement'
import { limitName, missedWords } from '../run/limits'
import { refusedThresholdWords } from './refused-threshold'
import { repeatsWords } from './repeats'
import { ruleWords } from '../rules/rule-words'
import type { Rule } from '../rules/rules'

const results: Readonly<Record<Exclude<GateVerdict['result'], 'failed' | 'passed' | 'waiting' | 'repeat'>, string>> = {
  'not-judged': 'Not judged: not enough history.',
  pending: 'Still evaluating: check again.',
}

const nothingJudged: Readonly<Record<NonNullable<GateVerdict['nothing']>, string>> = {
  unread: 'Not judged: the runs are truncated or were deleted.',
  'not-newest': 'Not judged: the same series has newer runs.',
  unwatched: 'Not judged: no rule applies to these runs.',
}

/** The verdict as a sentence, plus another one when the upload was not fully read. */
export function gateSentence(verdict: GateVerdict): string {
  const { failedImport, problem } = verdict
  if (failedImport?.excuse === null) return `Failed: the upload could not be read completely: ${failedImport.message}`
  const sentence = resultSentence(verdict) + stillOpenWords(verdict) + refusedThresholds(verdict)
  return problem === null ? sentence : `${sentence} The upload could not be read completely: ${problem}`
}

function stillOpenWords({ result, openAlerts: { length } }: GateVerdict): string {
  if (length === 0 || result === 'waiting' || result === 'repeat' || result === 'pending') return ''
  return length === 1 ? ' An earlier alert is still open.' : ` ${length} earlier alerts are still open.`
}

/** ` A threshold of 2 % for p99 is refused: …`, each said once. */
function refusedThresholds({ rows }: GateVerdict): string {
  const said = rows.flatMap((row) =>
    row.kind === 'baseline' && row.refused !== null ? [` ${refusedThresholdWords(row.refused, row.metric)}.`] : [],
  )
  return [...new Set(said)].join('')
}

function resultSentence(verdict: GateVerdict): string {
  const { result, missing, rows, nothing } = verdict
  if (result === 'waiting') return `Waiting for ${plural(missing, 'more run')} of this commit.`
  if (result === 'repeat') return repeatWords(verdict)
  if (result === 'passed') return passedWords(rows)
  if (result === 'failed') return `Failed: ${failedWords(verdict)}.`
  return result === 'not-judged' && nothing !== null ? nothingJudged[nothing] : results[result]
}

/** `Run it again: p99 is 14 % higher than its level (2.6 deviations); 3 more runs settle it.` */
function repeatWords({ missing, unsettled, refused }: GateVerdict): string {
  if (unsettled === null) return `Run it again: ${refusedWords(refused)}.`
  const { metric, effectRatio, deviations } = unsettled
  const far = deviations === null ? '' : ` (${deviations.toFixed(1)} deviations)`
  const change = metric.unit === 'ratio' ? 'off' : `${roundChangeWords(effectRatio)} than`
  return `Run it again: ${sentenceLabel(metric)} is ${change} its level${far}; ${repeatsWords(missing)}.`
}

/** The first run that is no measurement, as a clause. */
function refusedWords([first]: GateVerdict['refused']): string {
  const said = first?.sentence.replace(/\.$/, '') ?? ''
  return said.charAt(0).toLowerCase() + said.slice(1)
}

function passedWords(rows: readonly GateRow[]): string {
  const levels = rows.filter((row) => row.kind !== 'change-point' && !isSilent(row))
  const isCompared = rows.some((row) => row.kind === 'change-point' && !isSilent(row))
  const excused = rows.filter((row) => row.excuse !== null).length
  const shifted = rows.filter((row) => row.excuse === 'environment')
  if (shifted.length > 0) return environmentWords(shifted)
  if (excused > 0) return `Passed: of ${plural(rows.length, 'check')} ${excused} would have failed, but are excused.`
  const seen = noticedWords(rows)
  if (levels.length === 0) return `Passed: nothing is worse than earlier runs${seen}.`
  return isCompared
    ? `Passed: nothing is worse than earlier runs, and no rule is violated${seen}.`
    : 'Passed: no rule is violated; not enough history to compare with earlier runs.'
}

/** `Passed with a warning: worse with its whole environment (m7i.large), which is not counted against this commit.` */
function environmentWords(rows: readonly GateRow[]): string {
  const names = [...new Set(rows.flatMap(({ profile }) => profile.series.environment ?? []))]
  return `Passed with a warning: worse with its whole environment (${names.join(', ')}), which is not counted against this commit.`
}

/**
 * What the gate could have seen in the leading metric: `; a p99 26 % higher would have been noticed`. Empty: nothing
 * was compared.
 */
function noticedWords(rows: readonly GateRow[]): string {
  const reaches = rows.flatMap((row) => {
    if (row.kind !== 'change-point' || isSilent(row) || row.metric.unit === 'ratio') return []
    const { level, expectedLow, expectedHigh } = row.judged
    const bound = row.metric.direction === 'higher-is-better' ? expectedLow : expectedHigh
    return level === null || bound === null || level <= 0 ? [] : [{ metric: row.metric, ratio: bound / level - 1 }]
  })
  const leading = reaches.find(({ metric }) => metric.id === defaultMetric.id) ?? reaches[0]
  const own = reaches.filter(({ metric }) => metric.id === leading?.metric.id)
  const widest = [...own].sort((a, b) => Math.abs(b.ratio) - Math.abs(a.ratio))[0]
  if (widest === undefined) return ''
  return `; ${sentenceLabel(widest.metric)} ${roundChangeWords(widest.ratio)} would have been noticed`
}

/** The leading change with its values, and the number of others. */
function changedWords(rows: readonly GateChangeRow[]): readonly string[] {
  const weightOf = ({ judged: { level, value }, metric }: GateChangeRow) =>
    level === null || level <= 0 || value <= 0 ? 0 : Math.abs(Math.log(value / level)) / (metric.minEffect ?? 0.1)
  const isNews = ({ verdict }: GateChangeRow) => verdict !== 'unusual'
  const [lead, ...others] = [...rows].sort((a, b) => Number(isNews(b)) - Number(isNews(a)) || weightOf(b) - weightOf(a))
  if (lead === undefined) return []
  const { judged, metric } = lead
  const show = (value: number | null) => formatMetric(value, metric.unit)
  const name = `${sentenceLabel(metric)} of ${gateRowName(lead)}`
  const { value, level } = judged
  const change =
    metric.unit === 'ratio' || level === null || level <= 0 ? '' : ` (${formatChange(changeOf(value / level))})`
  const more = others.length === 0 ? '' : `, and ${plural(others.length, 'more metric')}`
  return isNews(lead)
    ? [`${name} ${show(level)} before, ${show(value)} now${change}${more}`]
    : [`${name} is ${show(value)}, outside of the expected ${rangeOf(lead)}${change}${more}`]
}

function failedWords(verdict: GateVerdict): string {
  const rows = verdict.rows.filter(failsBuild)
  const broken = [...new Set(rows.filter((row) => row.kind !== 'change-point').map((row) => row.rule))]
  const compared = changedWords(rows.filter((row) => row.kind === 'change-point'))
  const [first] = broken
  const rules = violatedWords(rows, broken)
  const sentence = refusedWords(verdict.refused)
  return [...(sentence ? [sentence] : []), ...compared, ...(first ? [rules] : [])].join('; ')
}

/** `missed by 13.1 ms`, `met`. */
const limitWords = ({ metric, side, expected, value }: GateLevelRow): string =>
  expected === null ? '' : missedWords(metric, { side, limit: expected }, value)

/** `“p99 ≤ 80 ms” is missed by 13.1 ms`, `2 rules are violated`. */
function violatedWords(rows: readonly GateRow[], broken: readonly Rule[]): string {
  const [first] = broken
  if (first === undefined || broken.length > 1) return `${plural(broken.length, 'rule')} are violated`
  const own = rows.filter(({ rule }) => rule === first)
  const [row] = own
  if (first.settings.kind !== 'limit' || row === undefined || row.kind !== 'limit' || own.length > 1)
    return `${quoted(ruleWords(first.settings, 'short'))} is violated`
  return `${quoted(limitName(first.settings))} is ${limitWords(row)}`
}

const quoted = (text: string): string => `“${text}”`

/** The condition of a row's rule; empty for the default watch of every project. */
function ruleCell(row: GateRow): string {
  if (row.kind !== 'change-point') return ruleWords(row.rule.settings, 'short')
  const { settings, scenario, seriesId } = row.rule
  if (settings.kind !== 'change-point') return ''
  const isPlain = scenario === null && seriesId === null && settings.metricIds.length === 0
  return isPlain ? '' : ruleWords(settings, 'short')
}

function rangeOf(row: GateRow): string {
  const show = (value: number) => formatMetric(value, row.metric.unit)
  if (row.kind === 'limit' && row.expected !== null)
    return `${row.side === 'above' ? 'at most' : 'at least'} ${formatSet(row.expected, row.metric.unit)}`
  const held = row.kind === 'change-point' ? heldAgainst(row.judged) : null
  return held === null ? '' : `${show(held.low)} – ${show(held.high)}`
}

function verdictWords(row: GateRow): string {
  const { verdict, excuse } = row
  if (verdict === 'no-history') return row.kind === 'change-point' ? historyWords(row) : 'no baseline under this load'
  if (verdict === 'barred') return row.kind === 'change-point' ? metricWords(row.judged, row.reason) : 'not judged'
  const own = row.kind === 'change-point' ? changeWords(row) : verdict.replace('-', ' ')
  const word = row.kind === 'limit' ? limitWords(row) : own
  return excuse === null ? word : `${word}, ${excuseWords(row)}`
}

/** If a level changed, the word is about the level and not the run, which may be within the expected range. */
function changeWords({ judged, reason }: GateChangeRow): string {
  const word = metricWords(judged, reason)
  return judged.change === null ? word : `level ${word} since ${sinceWords(judged.change)}`
}

function excuseWords(row: GateRow): string {
  const { mutedUntil } = row.rule
  if (row.excuse === 'muted') return `but muted until ${mutedUntil === null ? 'later' : formatDay(mutedUntil)}`
  if (row.excuse === 'not-asked') return 'but not covered by the rule'
  if (row.excuse === 'reported') return 'but reported by an open alert'
  if (row.excuse === 'instrument') return `but below what ${row.profile.series.environment ?? 'its environment'} shows`
  if (row.excuse === 'environment') return `but ${row.profile.series.environment ?? 'its environment'} itself is off`
  if (row.kind === 'change-point') return 'not confirmed yet'
  return `${row.broken} of ${row.confirmRuns} times`
}

const historyWords = ({ judged }: GateChangeRow): string =>
  judged.before === 0 ? 'first run' : `not judged (${Math.min(judged.before, minJudged)} of ${minJudged} runs before)`

/** The newest value, and what it is compared with. */
function levelsOf(row: GateRow): { readonly before: number | null; readonly value: number } {
  if (row.kind === 'change-point') return { before: row.judged.level, value: row.judged.value }
  return { before: row.kind === 'baseline' ? row.expected : null, value: row.value }
}

function cellsOf(row: GateRow): readonly string[] {
  const { metric } = row
  const { before, value } = levelsOf(row)
  const isRatio = metric.unit === 'ratio' || before === null || before === 0
  return [
    gateRowName(row),
    metric.shortLabel,
    formatMetric(before, metric.unit),
    formatMetric(value, metric.unit),
    isRatio ? '' : formatChange(changeOf(value / before)),
    rangeOf(row),
    ruleCell(row),
    verdictWords(row),
  ]
}

/** A change that is zero at four decimals is none: rounding in the file must not look like one. */
const changeOf = (factor: number): number => (Math.abs(factor - 1) < 5e-5 ? 0 : factor - 1)

const head = ['series', 'metric', 'before', 'now', 'change', 'expected', 'rule', 'verdict']
const ruleAt = head.indexOf('rule')

/** The table; the column of rules is omitted if no row has one. */
function tableOf({ rows }: GateVerdict): readonly (readonly string[])[] {
  const cells = rows.map(cellsOf)
  const hasRules = cells.some((row) => row[ruleAt] !== '')
  return [head, ...cells].map((row) => (hasRules ? row : row.toSpliced(ruleAt, 1)))
}

/** The verdict as a plain text table for terminals. */
export function gateText(verdict: GateVerdict): string {
  const rows = tableOf(verdict)
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

/** A name and its address. */
interface Link {
  readonly name: string
  readonly url: string
}

/**
 * The verdict as Markdown for a comment on a pull request. `runs`: the uploaded ones; `alerts`: earlier ones still
 * open; `warnings`: what the sender should fix.
 */
export function gateMarkdown(
  verdict: GateVerdict,
  runs: readonly Link[],
  alerts: readonly Link[] = [],
  warnings: readonly string[] = [],
): string {
  const linked = ({ name, url }: Link) => `[${escapeCell(name)}](${url})`
  const row = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`
  const [first = [], ...others] = tableOf(verdict)
  const table =
    verdict.rows.length === 0 ? [] : [row(first), `|${first.map(() => ' --- ').join('|')}|`, ...others.map(row), '']
  const open = alerts.length === 0 ? [] : [`Still open: ${alerts.map(linked).join(' · ')}`, '']
  const notes = warnings.flatMap((warning) => [escapeCell(warning), ''])
  return [
    `**${escapeCell(gateSentence(verdict))}**`,
    '',
    ...table,
    ...open,
    ...notes,
    runs.map(linked).join(' · '),
    '',
  ].join('\n')
}
