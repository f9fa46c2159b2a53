import type { ErrorCount, ImportedRun, LambdaStats, Warning } from './run'

/** Different things of one kind (errors, addresses, figures) that a run lists; the upload has them all. */
export const maxListed = 200
/** Texts of fields as they were printed: a table of percentiles has some for each row. */
const maxPrinted = 2_000

/** Code of the warning that says what is not listed. */
const boundedCode = 'not-all-listed'

type Lists = Pick<
  ImportedRun,
  'errors' | 'statusCodes' | 'targets' | 'measures' | 'phases' | 'warnings' | 'lambda' | 'printed'
>
type Counts = Readonly<Record<string, number>>

/**
 * A run of which no list is longer than pages, shares, exports and API answers are to be: the most frequent of each kind,
 * and a warning that says how many others there are. Sums stay what they were: errors beyond the list are counted together,
 * and every status code that HTTP has is listed.
 */
export function boundRun<Run extends Lists>(run: Run): Run {
  if (isBounded(run)) return run
  const left: string[] = []
  const most = <Item>(what: string, items: readonly Item[], countOf: ((item: Item) => number) | null) => {
    if (items.length <= maxListed) return items
    left.push(`${items.length.toLocaleString('en')} ${what}`)
    return (countOf === null ? items : items.toSorted((a, b) => countOf(b) - countOf(a))).slice(0, maxListed)
  }
  const mostCounts = (what: string, counts: Counts): Counts =>
    Object.fromEntries(most(what, Object.entries(counts), ([, count]) => count))
  const lambda = (stats: LambdaStats): LambdaStats => ({
    ...stats,
    statuses: mostCounts('statuses', stats.statuses),
    errorTypes: mostCounts('types of error', stats.errorTypes),
    memorySizeMb: mostCounts('memory sizes', stats.memorySizeMb),
  })
  const bounded = {
    ...run,
    errors: boundErrors(run.errors, left),
    statusCodes: {
      ...onlyHttp(run.statusCodes, true),
      ...mostCounts('status codes that HTTP does not have', onlyHttp(run.statusCodes, false)),
    },
    targets: run.targets && most('addresses', run.targets, ({ count }) => count),
    measures: most('other figures', run.measures, null),
    phases: most('phases', run.phases, null),
    lambda: run.lambda && lambda(run.lambda),
    printed: Object.fromEntries(Object.entries(run.printed).slice(0, maxPrinted)),
    warnings: most('warnings', run.warnings, null),
  }
  if (left.length === 0) return bounded
  const message = `There are ${left.join(', ')}: ${maxListed} are listed, and the uploaded file has all.`
  const warning: Warning = { code: boundedCode, message, line: null }
  return { ...bounded, warnings: [...bounded.warnings.slice(0, maxListed - 1), warning] }
}

/** Nearly every run is. */
function isBounded({ errors, statusCodes, targets, measures, phases, warnings, lambda, printed }: Lists): boolean {
  const lists = [targets ?? [], measures, phases, warnings]
  const counts = [onlyHttp(statusCodes, false), ...countsOf(lambda)]
  return (
    errors.length <= maxListed + 1 &&
    Object.keys(printed).length <= maxPrinted &&
    lists.every((list) => list.length <= maxListed) &&
    counts.every((record) => Object.keys(record).length <= maxListed)
  )
}

const countsOf = (lambda: LambdaStats | null): readonly Counts[] =>
  lambda === null ? [] : [lambda.statuses, lambda.errorTypes, lambda.memorySizeMb]

const onlyHttp = (codes: Counts, is: boolean): Counts =>
  Object.fromEntries(Object.entries(codes).filter(([code]) => /^(?:0|[1-5]\d\d)$/.test(code) === is))

/** The most frequent, then all others in one line; null where the tool does not count one of them. */
function boundErrors(errors: readonly ErrorCount[], left: string[]): readonly ErrorCount[] {
  if (errors.length <= maxListed + 1) return errors
  const byCount = errors.toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0))
  const others = byCount.slice(maxListed)
  left.push(`${errors.length.toLocaleString('en')} different errors`)
  const count = others.reduce<number | null>(
    (sum, one) => (sum === null || one.count === null ? null : sum + one.count),
    0,
  )
  return [...byCount.slice(0, maxListed), { message: `${others.length.toLocaleString('en')} other errors`, count }]
}
