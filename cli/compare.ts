import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { CompareView } from '@/components/compare/compare-view-state'
import { prepareComparison, type PreparedComparison } from '@/components/compare/prepare-comparison'
import { comparisonJson, wordTable } from '@/components/shared/comparison-files'
import { markdownTable } from '@/lib/export/markdown-table'
import { runsOfSides, sameFileWords } from '@/lib/files/sides'
import { differenceWords } from '@/lib/judge/comparability'
import { isShownSmall } from '@/lib/judge/delta'
import { failuresOf } from '@/lib/judge/sides'
import { maxFailedRatio } from '@/lib/run/judged-states'
import { findMetric, metricsOf } from '@/lib/run/metrics'
import { readThemes } from '@/lib/theme'
import type { Compared } from './compared'
import { comparisonText } from './comparison-text'
import type { ReadFile } from './read-files'
import { reportProblems } from './report-problems'
import { pairRuns, readSides, separator, splitSides } from './sides'
import type { Terminal } from './terminal'
import { exits, readArguments, UsageError } from './usage'

const options = {
  json: { type: 'boolean' },
  md: { type: 'boolean' },
  strict: { type: 'boolean' },
  steady: { type: 'boolean' },
  metrics: { type: 'string' },
  html: { type: 'string' },
} as const

const plainView: CompareView = {
  ...{ metricIds: null, sloMs: null, shape: null, axis: null, y: null, window: null },
  ...{ tables: [], cost: {}, query: '' },
}

/** The ids of `--metrics p99,mean`; null: the default ones. Throws UsageError for an unknown one. */
function readMetrics(list: string | undefined): readonly string[] | null {
  const ids = list?.split(',').map((id) => id.trim()) ?? null
  const unknown = ids?.find((id) => findMetric(id) === null)
  if (unknown !== undefined) throw new UsageError(`no metric is called ${unknown}`)
  return ids
}

/** `tailboard compare A B`: the comparison that the server's page shows of the same files. */
export async function compare(args: readonly string[], terminal: Terminal): Promise<number> {
  // Options may follow the separator, which would otherwise end them.
  const { values, positionals } = readArguments(
    args.map((arg) => (arg === '--' ? separator : arg)),
    options,
  )
  if (values.json && values.md) throw new UsageError('--json and --md exclude each other')
  const view = {
    ...plainView,
    metricIds: readMetrics(values.metrics),
    window: values.steady ? 'steady' : null,
  } as const
  const files = await readSides(splitSides(positionals), terminal)
  if (!reportProblems(files.flat(), terminal)) return exits.unreadable
  const compared = compareFiles(files, view)
  if (values.html !== undefined) await writeHtml(compared, path.resolve(terminal.cwd, values.html), terminal)
  if (values.json) terminal.print(jsonOf(compared))
  else if (values.md) terminal.print(compared.map(markdownOf).join('\n'))
  else terminal.print(compared.map((one) => comparisonText(one, terminal)).join('\n'))
  const ends = compared.map(({ prepared }) => exitOf(prepared, values.strict === true))
  return ends.find((end) => end === exits.worse) ?? ends.find((end) => end !== exits.fine) ?? exits.fine
}

/** Nothing is known of earlier runs: no noise, no alerts. */
function compareFiles(files: readonly (readonly ReadFile[])[], view: CompareView): readonly Compared[] {
  const isSame = areSame(files)
  return pairRuns(runsOfSides(files, Date.now())).flatMap(({ title, sides }): Compared[] => {
    const prepared = prepareComparison(sides, view, () => null)
    return prepared === null ? [] : [{ title, prepared, isSame }]
  })
}

/** The page that the server exports: with its charts, and without scripts. Throws UsageError for several comparisons. */
async function writeHtml(compared: readonly Compared[], file: string, { tokens }: Terminal): Promise<void> {
  const [only, ...more] = compared
  if (only === undefined || more.length > 0)
    throw new UsageError(`--html holds one comparison, and these files have ${compared.length}`)
  const { prepared } = only
  const { comparisonPage } = await import('@/components/shared/comparison-page')
  const name = prepared.names.join(' vs ')
  const page = comparisonPage({ prepared, name, notes: '', raw: [], themes: readThemes(tokens()) })
  try {
    await writeFile(file, page)
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Whether two sides are the same files. */
function areSame(files: readonly (readonly ReadFile[])[]): boolean {
  const names = files.map((side) => side.map(({ input }) => input.name).join('\n'))
  return new Set(names).size < names.length
}

/** One comparison as the API's data.json; several as a list of them. */
function jsonOf(compared: readonly Compared[]): string {
  const [only, ...more] = compared.map(({ prepared }) => comparisonJson(prepared))
  if (only !== undefined && more.length === 0) return only
  return `${JSON.stringify({ comparisons: compared.map(({ prepared }) => JSON.parse(comparisonJson(prepared)) as unknown) }, null, 2)}\n`
}

/** For a comment on a pull request: the verdict, the table, what it rests on. */
function markdownOf({ title, prepared, isSame }: Compared): string {
  const { sentence, caution } = prepared.comparison
  const notes = [...(isSame ? [sameFileWords] : []), ...prepared.differences.map(differenceWords)]
  const escape = (text: string) => text.replace(/[\\|`*_<>[\]]/g, '\\$&')
  const parts = [
    ...(title === '' ? [] : [`### ${escape(title)}`]),
    `**${escape(sentence)}.**`,
    markdownTable(wordTable(prepared)).trimEnd(),
    ...(caution === '' ? [] : [`${escape(caution)}.`]),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${escape(note)}`).join('\n')]),
  ]
  return `${parts.join('\n\n')}\n`
}

const headlineIds: readonly string[] = metricsOf('headline').map(({ id }) => id)

/** 1 for what is worse by more than matters and noise, and for a side that fails; 3 if nothing is decided. */
function exitOf({ comparison: { rows, sides } }: PreparedComparison, isStrict: boolean): number {
  const isWorse = rows.some(({ metric, deltas }) =>
    deltas.some((delta) => delta.verdict === 'worse' && !isShownSmall(delta, metric)),
  )
  const isFailing = sides.slice(1).some((side) => (failuresOf(side)?.ratio ?? 0) > maxFailedRatio)
  if (isWorse || isFailing) return exits.worse
  const leading = headlineIds.flatMap((id) => rows.find(({ metric }) => metric.id === id) ?? [])[0]
  const isOpen = leading?.deltas.some(({ verdict }) => verdict === 'undecided' || verdict === 'unknown') ?? true
  return isStrict && isOpen ? exits.undecided : exits.fine
}
