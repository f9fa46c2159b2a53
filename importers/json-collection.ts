/**
 * JSON reports that were put together: the list of `jq -s`, or a script's object of named results, in any nesting and
 * layout.
 *
 *     [{"latencies":{"total":2464133121,…},…},{"latencies":{…},…}]
 *     {"host":"c5.large","results":{"gzip":{"RunType":"HTTP","Labels":"",…},"identity":{"RunType":"HTTP",…}}}
 */
import { ImportError } from '../lib/errors'
import type { ImportedFile, ImportedRun, ImportProblem } from '../lib/run/run'
import { maxRunsPerUpload, tooManyRuns } from '../lib/run/run-limit'
import { isGenericHeading, readInstanceType } from './document/heading-names'
import type { Bytes } from './importer'
import { truncatedProblem, errorAt, infoAt } from './import-problem'
import { countLines, listJsonMembers, readJsonText } from './text/json-documents'
import { decodeHead } from './text/text-head'
import { bytesOf, type ReadText } from './carried/read-carried'
import { relocate } from './carried/relocate'

/** Whether a JSON report begins like this. */
export type IsReport = (start: string) => boolean

const maxDepth = 4
/** Most members examined in the first 64 KiB: one report is enough. */
const maxTried = 50
const startLength = 65_536
const opening = /^\s*(?=\[\s*[[{]|\{\s*")/

/** One report and its place. */
interface Report {
  /** Keys and numbers (from 1) of its containers, outermost first. */
  readonly path: readonly string[]
  readonly names: readonly string[]
  readonly start: number
  readonly end: number
}

/** Whether a file begins as a list or an object of reports. */
export function isJsonCollection(head: Uint8Array, isReport: IsReport): boolean {
  const text = decodeHead(head, startLength)
  const start = opening.exec(text)?.[0].length
  return start !== undefined && holdsReport(text, start, isReport, maxDepth)
}

function holdsReport(text: string, start: number, isReport: IsReport, depth: number): boolean {
  return listJsonMembers(text, start, maxTried).members.some(
    ({ start: from, end }) =>
      isReport(text.slice(from, end < 0 ? undefined : end)) ||
      (depth > 1 && holdsReport(text.slice(from, end < 0 ? undefined : end), 0, isReport, depth - 1)),
  )
}

/**
 * Reads each report as a file of its own. Keys above it name its run, like headings.
 * @throws ImportError the first report's when none can be read.
 */
export async function readJsonCollection(bytes: Bytes, isReport: IsReport, read: ReadText): Promise<ImportedFile> {
  const { text, encoding } = await readJsonText(bytes, 'a list of reports as JSON')
  const runs: ImportedRun[] = []
  const problems: ImportProblem[] = []
  let firstError: ImportError | null = null
  let line = 1
  let counted = 0
  const lineAt = (place: number) => {
    line += countLines(text, counted, place)
    counted = place
    return line
  }
  const { reports, end } = listReports(text, isReport)
  for (const report of reports) {
    const first = lineAt(report.start)
    const place = {
      lineOf: (own: number) => first + own - 1,
      endOf: (own: number) => first + own - 1,
      nameOf: () => `in ${report.path.join(', ')}`,
    }
    try {
      const file = relocate(await read(bytesOf(text.slice(report.start, report.end))), place)
      runs.push(...file.runs.map((run) => named(run, report.names, first)))
      problems.push(...file.problems)
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      const { code, hint } = error
      const own = place.lineOf(error.line ?? 1)
      const message = `${place.nameOf()}: ${error.message}`
      firstError ??= new ImportError(code, message, { line: own, hint })
      problems.push(errorAt(code, own, message, hint))
    }
    if (runs.length > maxRunsPerUpload) throw tooManyRuns(first)
  }
  if (runs.length === 0 && firstError !== null) throw firstError
  if (end < 0)
    problems.push(truncatedProblem(lineAt(text.length), 'the file ends before the last bracket of its reports'))
  else problems.push(...(await readBehind(text.slice(end), lineAt(end), read, runs)))
  const lineCount = lineAt(text.length) + 1
  return { encoding, lineCount, runs, problems, cellNotes: [] }
}

/**
 * Reads what follows the collection: another one, reports, or a prompt. Adds its runs and reports what cannot be read.
 */
async function readBehind(rest: string, line: number, read: ReadText, runs: ImportedRun[]): Promise<ImportProblem[]> {
  if (rest.trim() === '') return []
  const lineOf = (own: number) => line + own - 1
  try {
    const file = relocate(await read(bytesOf(rest)), { lineOf, endOf: lineOf, nameOf: () => 'behind the reports' })
    runs.push(...file.runs)
    return [...file.problems]
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    const { message, hint } = error
    return [infoAt('not-imported', lineOf(error.line ?? 1), `after the reports: ${message}`, hint)]
  }
}

function listReports(text: string, isReport: IsReport): { readonly reports: readonly Report[]; readonly end: number } {
  const reports: Report[] = []
  const walk = (start: number, path: readonly string[], names: readonly string[]): number => {
    const { members, end } = listJsonMembers(text, start)
    for (const [at, { key, start: from, end: to }] of members.entries()) {
      const ownPath = [...path, key === null ? `report ${at + 1}` : `“${key.slice(0, 100)}”`]
      const ownNames = key === null ? names : [...names, key]
      const last = to < 0 ? text.length : to
      if (isReport(text.slice(from, Math.min(last, from + startLength))))
        reports.push({ path: ownPath, names: ownNames, start: from, end: last })
      else if (path.length + 1 < maxDepth) walk(from, ownPath, ownNames)
    }
    return end
  }
  const end = walk(opening.exec(text)?.[0].length ?? 0, [], [])
  return { reports, end }
}

/** Keys act as headings: the deepest is the variant, or the environment, and the one above it the scenario. */
function named(run: ImportedRun, keys: readonly string[], line: number): ImportedRun {
  const { context, proposal } = run
  const source = `key in the file, line ${line}`
  const machine = keys.findLast((key) => readInstanceType(key) !== null) ?? null
  const rest = keys.filter((key) => key !== machine && key.trim() !== '' && !isGenericHeading(key))
  const deepest = rest.at(-1) ?? null
  const scenario = rest.at(-2) ?? (proposal.scenario === null ? deepest : null)
  const variant = deepest !== null && deepest !== scenario && proposal.variant === null ? deepest : null
  return {
    ...run,
    context: { ...context, headings: [...keys, ...context.headings] },
    proposal: {
      ...proposal,
      ...(scenario !== null && { scenario }),
      ...(variant !== null && { variant }),
      ...(machine !== null && proposal.environment === null && { environment: machine }),
      sources: {
        ...proposal.sources,
        ...(scenario !== null && { scenario: source }),
        ...(variant !== null && { variant: source }),
        ...(machine !== null && proposal.environment === null && { environment: source }),
      },
    },
  }
}
