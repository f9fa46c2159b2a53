import { clipText } from '../text'
import { coarserTimeline, maxBuckets, maxQuantiles, mergeBuckets, thinQuantiles } from './coarser'
import type { ErrorCount, FieldSummary, ImportedRun, LambdaStats, Latency, LatencyHistogram, Warning } from './run'

/** Distinct items of one kind (errors, addresses, figures) that a run lists; the upload has them all. */
export const maxListed = 200
/** Limit for what a person writes or a tool names besides: notes, facts, headings, labels, phases. */
const maxFew = 50
/** Importers list 50, then the rest in one. */
const maxTargets = 60
/** Texts of fields as printed: a table of percentiles has some for each row. */
const maxPrinted = 2_000
const maxPrintedLength = 100
/** `all`, `success`, `failure`, `recorded`, `uncorrected`, each once. */
const maxLatencies = 8
/** Figures that a warning rests on. */
const maxNumbers = 10
/** Characters of all texts of a run together, except the printed ones; and the reserve for added warnings. */
const maxCharacters = 50_000
const reserve = 4_000
/**
 * Characters of one text: the first limit at which all of them fit. At the last one they do, however many there are.
 */
const textLimits = [2_000, 400, 100, 20, 10] as const

type Counts = Readonly<Record<string, number>>

/**
 * A run small enough for pages, shares, exports and API answers, whatever its file holds: the most frequent items of
 * each list, coarser histograms and timelines, the beginning of long texts. Warnings state what was there; nothing else
 * is lost. Sums are unchanged: errors beyond the list are counted together, buckets and intervals are added up, and
 * every HTTP status code is listed. A small enough run is returned itself. HDR payloads are bounded where they are
 * decoded.
 */
export function boundRun<Run extends Partial<ImportedRun> & Pick<ImportedRun, 'warnings'>>(run: Run): Run {
  for (const limit of textLimits) {
    const bounding = new Bounding(limit)
    const bounded = { ...run, ...boundFields(run, bounding) }
    const added = bounding.warnings()
    const isLast = limit === textLimits.at(-1)
    if (added.length === 0 && (isLast || bounding.characters <= maxCharacters)) return run
    if (bounding.characters > maxCharacters - reserve && !isLast) continue
    return { ...bounded, warnings: [...bounded.warnings.slice(0, maxListed - added.length), ...added] }
  }
  return run
}

function boundFields(run: Partial<ImportedRun>, bounding: Bounding): Partial<ImportedRun> {
  const bounded: { -readonly [Field in keyof ImportedRun]?: ImportedRun[Field] } = {}
  const boundField = <Field extends keyof ImportedRun>(field: Field) => {
    const value: ImportedRun[Field] | undefined = run[field]
    if (value !== undefined) bounded[field] = bounds[field](value, bounding)
  }
  for (const field of runFields) boundField(field)
  return bounded
}

/** What one pass leaves of a run, and what it removes. */
class Bounding {
  /** Total over all texts that it leaves. */
  characters = 0
  private readonly lists: string[] = []
  private readonly merged: string[] = []
  private clippedTexts = 0
  private readonly numbers: Record<string, number> = {}

  constructor(private readonly limit: number) {}

  text(text: string): string {
    return this.clip(text, this.limit)
  }

  optional(text: string | null): string | null {
    return text === null ? null : this.text(text)
  }

  /** A number as a tool printed it; not counted with the other texts. */
  printed(text: string): string {
    const before = this.characters
    const clipped = this.clip(text, maxPrintedLength)
    this.characters = before
    return clipped
  }

  /** The most frequent; without `countOf` the first. */
  most<Item>(
    what: string,
    items: readonly Item[],
    countOf: ((item: Item) => number) | null = null,
    most = maxListed,
  ): readonly Item[] {
    if (items.length <= most) return items
    this.listed(`${formatted(items.length)} ${what}`, most)
    return (countOf === null ? items : items.toSorted((a, b) => countOf(b) - countOf(a))).slice(0, most)
  }

  listed(what: string, most = maxListed): void {
    this.lists.push(most === maxListed ? what : `${what} (${formatted(most)} of them listed)`)
  }

  mostCounts(what: string, counts: Counts, most = maxListed): Counts {
    const entries = this.most(what, Object.entries(counts), ([, count]) => count, most)
    return Object.fromEntries(entries.map(([name, count]) => [this.text(name), count]))
  }

  strings(what: string, strings: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const entries = this.most(what, Object.entries(strings), null, maxFew)
    return Object.fromEntries(entries.map(([name, text]) => [this.text(name), this.text(text)]))
  }

  coarser(sentence: string, numbers: Counts): void {
    this.merged.push(sentence)
    Object.assign(this.numbers, numbers)
  }

  /** What readers must know about what was removed. */
  warnings(): readonly Warning[] {
    const warnings: Warning[] = []
    const warn = (code: string, message: string, numbers?: Counts) =>
      warnings.push({ code, message, line: null, ...(numbers ? { numbers } : {}) })
    if (this.lists.length > 0)
      warn(
        'not-all-listed',
        `There are ${this.lists.join(', ')}: ${maxListed} are listed, and the uploaded file has all.`,
      )
    if (this.merged.length > 0) warn('coarser', `${this.merged.join(' ')} The uploaded file has all.`, this.numbers)
    if (this.clippedTexts > 0)
      warn(
        'texts-cut',
        `${formatted(this.clippedTexts)} ${this.clippedTexts === 1 ? 'text is' : 'texts are'} cut: those of more than ${formatted(this.limit)} characters, and printed figures of more than ${maxPrintedLength}. The uploaded file has all.`,
      )
    return warnings
  }

  private clip(text: string, limit: number): string {
    const clipped = clipText(text, limit)
    if (clipped !== text) this.clippedTexts += 1
    this.characters += clipped.length
    return clipped
  }
}

const formatted = (count: number): string => count.toLocaleString('en')

type Bounds = {
  readonly [Field in keyof ImportedRun]: (value: ImportedRun[Field], bounding: Bounding) => ImportedRun[Field]
}

/** For numbers, flags and short words. */
const asItIs = <Value>(value: Value): Value => value
const text = (value: string, bounding: Bounding): string => bounding.text(value)
const optional = (value: string | null, bounding: Bounding): string | null => bounding.optional(value)

/** How each field of a run is bounded: a field added to runs does not compile until it is listed here. */
const bounds: Bounds = {
  tool: asItIs,
  form: text,
  toolVersion: optional,
  command: optional,
  url: optional,
  method: optional,
  startedAt: optional,
  durationMs: asItIs,
  attackMs: asItIs,
  waitMs: asItIs,
  load: asItIs,
  requests: asItIs,
  successes: asItIs,
  successRatio: asItIs,
  requestsPerSecond: asItIs,
  throughputPerSecond: asItIs,
  bytesIn: asItIs,
  bytesOut: asItIs,
  errors: (errors, bounding) =>
    boundErrors(errors, bounding).map((error) => ({ ...error, message: bounding.text(error.message) })),
  statusCodes: (codes, bounding) => ({
    ...onlyHttp(codes, true),
    ...bounding.mostCounts('status codes that HTTP does not have', onlyHttp(codes, false)),
  }),
  latencies: (latencies, bounding) =>
    bounding.most('distributions', latencies, null, maxLatencies).map((one) => boundLatency(one, bounding)),
  phases: (phases, bounding) =>
    bounding.most('phases', phases, null, maxFew).map((phase) => ({ ...phase, name: bounding.text(phase.name) })),
  timeline: (timeline, bounding) => {
    if (timeline === null) return null
    const coarser = coarserTimeline(timeline)
    const [before, after] = [timeline.requests.length, coarser.requests.length]
    if (coarser !== timeline)
      bounding.coarser(
        before === after
          ? 'The heat map is drawn coarser.'
          : `The timeline has ${formatted(before)} intervals: they are joined to ${formatted(after)}, without the percentiles of those that are joined.`,
        { intervals: before, joinedIntervals: after },
      )
    return { ...coarser, startedAt: bounding.optional(coarser.startedAt) }
  },
  lambda: (stats, bounding) => stats && boundLambda(stats, bounding),
  targets: (targets, bounding) =>
    targets &&
    bounding
      .most('addresses', targets, ({ count }) => count, maxTargets)
      .map((target) => ({
        ...target,
        method: bounding.optional(target.method),
        url: bounding.optional(target.url),
      })),
  measures: (measures, bounding) =>
    bounding.most('other figures', measures).map((measure) => ({
      ...measure,
      name: bounding.text(measure.name),
      unit: bounding.optional(measure.unit),
    })),
  complete: asItIs,
  printed: (printed, bounding) => {
    const entries = bounding.most('printed figures', Object.entries(printed), null, maxPrinted)
    return Object.fromEntries(entries.map(([field, value]) => [bounding.printed(field), bounding.printed(value)]))
  },
  context: ({ headings, lines, file, facts, notes }, bounding) => ({
    headings: bounding.most('headings', headings, null, maxFew).map((heading) => bounding.text(heading)),
    lines,
    ...(file === undefined ? {} : { file: bounding.text(file) }),
    facts: bounding.most('facts', facts, null, maxFew).map((fact) => ({
      ...fact,
      key: bounding.text(fact.key),
      value: bounding.text(fact.value),
    })),
    notes: bounding.most('notes', notes, null, maxFew).map((note) => ({ ...note, text: bounding.text(note.text) })),
  }),
  proposal: (proposal, bounding) => ({
    scenario: bounding.optional(proposal.scenario),
    variant: bounding.optional(proposal.variant),
    environment: bounding.optional(proposal.environment),
    environmentAttributes: bounding.strings('attributes of the environment', proposal.environmentAttributes),
    labels: bounding.strings('labels', proposal.labels),
    sources: bounding.strings('sources of names', proposal.sources),
  }),
  warnings: (warnings, bounding) =>
    bounding.most('warnings', warnings).map(({ numbers, ...warning }) => ({
      ...warning,
      code: bounding.text(warning.code),
      message: bounding.text(warning.message),
      ...(numbers === undefined ? {} : { numbers: bounding.mostCounts('figures of a warning', numbers, maxNumbers) }),
    })),
}

/** Every field of a run, by name. */
export const runFields: readonly (keyof ImportedRun)[] = Object.keys(bounds).filter(isRunField)

function isRunField(name: string): name is keyof ImportedRun {
  return name in bounds
}

function boundLatency(latency: Latency, bounding: Bounding): Latency {
  const quantiles = boundQuantiles(`percentiles of ${latency.of}`, latency.quantiles, bounding)
  return { ...latency, quantiles, histogram: boundHistogram(latency, bounding) }
}

/** The buckets of a histogram merged, with a warning about the values read from them. */
function boundHistogram({ of, histogram }: Latency, bounding: Bounding): LatencyHistogram | null {
  if (histogram === null || histogram.kind === 'hdr') return histogram
  const { buckets, errorRatio } = mergeBuckets(histogram.buckets, maxBuckets)
  if (buckets === histogram.buckets) return histogram
  const within = Number.isFinite(errorRatio)
    ? `what is read off it is within ${Number((errorRatio * 100).toPrecision(2))} %`
    : 'what is read off it is within one of these'
  bounding.coarser(
    `The histogram of ${of} has ${formatted(histogram.buckets.length)} buckets: neighbours are merged to ${formatted(buckets.length)} with all counts, and ${within}.`,
    {
      buckets: histogram.buckets.length,
      mergedBuckets: buckets.length,
      ...(Number.isFinite(errorRatio) ? { errorRatio } : {}),
    },
  )
  return { ...histogram, buckets }
}

function boundQuantiles<Point extends { readonly q: number }>(
  what: string,
  points: readonly Point[],
  bounding: Bounding,
): readonly Point[] {
  const thinned = thinQuantiles(points, maxQuantiles)
  if (thinned === points) return points
  const sentence = `Of ${formatted(points.length)} ${what} ${maxQuantiles} are stored, among them the first, the last and those with a name.`
  bounding.coarser(sentence, { percentiles: points.length, keptPercentiles: thinned.length })
  return thinned
}

function boundLambda(stats: LambdaStats, bounding: Bounding): LambdaStats {
  const summary = (what: string, field: FieldSummary | null): FieldSummary | null =>
    field && { ...field, quantiles: boundQuantiles(`percentiles of ${what}`, field.quantiles, bounding) }
  return {
    ...stats,
    functionName: bounding.optional(stats.functionName),
    billedMs: summary('the billed duration', stats.billedMs),
    initMs: summary('the init duration', stats.initMs),
    restoreMs: summary('the restore duration', stats.restoreMs),
    billedRestoreMs: summary('the billed restore duration', stats.billedRestoreMs),
    maxMemoryUsedMb: summary('the memory used', stats.maxMemoryUsedMb),
    coldMs: summary('cold starts', stats.coldMs),
    warmMs: summary('warm invocations', stats.warmMs),
    statuses: bounding.mostCounts('statuses', stats.statuses),
    errorTypes: bounding.mostCounts('types of error', stats.errorTypes),
    memorySizeMb: bounding.mostCounts('memory sizes', stats.memorySizeMb),
  }
}

const onlyHttp = (codes: Counts, is: boolean): Counts =>
  Object.fromEntries(Object.entries(codes).filter(([code]) => /^(?:0|[1-5]\d\d)$/.test(code) === is))

/** The most frequent, then all others on one line; null if the tool gives no count for one of them. */
function boundErrors(errors: readonly ErrorCount[], bounding: Bounding): readonly ErrorCount[] {
  if (errors.length <= maxListed + 1) return errors
  const byCount = errors.toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0))
  const others = byCount.slice(maxListed)
  bounding.listed(`${formatted(errors.length)} different errors`)
  const count = others.reduce<number | null>(
    (sum, one) => (sum === null || one.count === null ? null : sum + one.count),
    0,
  )
  return [...byCount.slice(0, maxListed), { message: `${formatted(others.length)} other errors`, count }]
}
