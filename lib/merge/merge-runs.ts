import { counterpartForms, isSameAttack } from '../judge/same-attack'
import type { ErrorCount, ImportedRun, Load, Phase, Warning } from '../run/run'
import { haveSameFigures } from '../run/same-run'
import { tools } from '../run/tools'
import { joinWords } from '../text'
import { mergedForm } from '../run/merged-form'
import { mergeLatencies, sumOf, type MergedLatencies, type MergePart, type MergeRefusal } from './merge-latencies'
import { mergeWindow, type MergeRemark, type MergeWindow } from './merge-window'

/** Most runs in one merge: more machines hardly ever drive one test. */
export const maxMerged = 50

/** The merged run, or why the runs cannot be merged. */
export type MergeOutcome =
  | {
      readonly kind: 'merged'
      readonly run: ImportedRun
      /** What the figures rest on, and what is not carried over; without a full stop. */
      readonly remarks: readonly string[]
    }
  | MergeRefusal

/**
 * Merges the runs of several generators of one test: counts and histograms are added, rates too if the parts ran at the
 * same time, percentiles are read from the sum. Whatever a part lacks is null. The order of the parts does not matter.
 */
export async function mergeRuns(parts: readonly MergePart[]): Promise<MergeOutcome> {
  const refused = refusalOf(parts)
  if (refused !== null) return refused
  const window = mergeWindow(parts)
  if (window.kind === 'refused') return window
  const latencies = await mergeLatencies(parts)
  if (latencies.kind === 'refused') return latencies
  const runs = parts.map(({ run }) => run)
  const [first] = runs
  if (first === undefined) throw new Error('Refused above: there is no part')
  const remarks = [...window.remarks, ...remarksOf(parts, latencies)]
  const requests = added(runs, (run) => run.requests)
  const made = `made of ${parts.length} runs of ${tools[first.tool].name}: counts and histograms are added, percentiles are read off the sum`
  const run: ImportedRun = {
    tool: first.tool,
    form: mergedForm,
    toolVersion: same(runs, (one) => one.toolVersion),
    command: same(runs, (one) => one.command),
    url: same(runs, (one) => one.url),
    method: same(runs, (one) => one.method),
    startedAt: window.startedAt,
    durationMs: window.durationMs,
    attackMs: window.attackMs,
    waitMs: null,
    load: mergeLoads(runs, window),
    requests,
    successes: added(runs, (one) => one.successes),
    successRatio: weighted(runs, (one) => one.successRatio),
    requestsPerSecond: rateOf(runs, window, requests, (one) => one.requestsPerSecond),
    throughputPerSecond: window.isCommon ? added(runs, (one) => one.throughputPerSecond) : null,
    bytesIn: added(runs, (one) => one.bytesIn),
    bytesOut: added(runs, (one) => one.bytesOut),
    statusCodes: addCodes(runs),
    errors: addErrors(runs),
    latencies: latencies.latencies,
    phases: mergePhases(runs),
    timeline: null,
    lambda: null,
    targets: null,
    measures: [],
    complete: runs.every(({ complete }) => complete),
    printed: {},
    context: { headings: [], lines: [1, 1], facts: [], notes: [] },
    proposal: { scenario: null, variant: null, environment: null, environmentAttributes: {}, labels: {}, sources: {} },
    warnings: warningsOf(runs, [{ code: 'merged', message: made }, ...remarks]),
  }
  return { kind: 'merged', run, remarks: remarks.map(({ message }) => message) }
}

/** What the merged run is without, and what is only assumed of it. */
function remarksOf(
  parts: readonly MergePart[],
  { lost: lostLatencies, isExact }: Extract<MergedLatencies, { readonly kind: 'merged' }>,
): readonly MergeRemark[] {
  const runs = parts.map(({ run }) => run)
  const lost = [...lostLatencies, ...lostOf(runs)]
  const truncated = parts.flatMap(({ name, run }) => (run.complete ? [] : [name])).sort()
  const caution = (message: string): MergeRemark => ({ code: 'merged-caution', message })
  return [
    ...(isExact ? [] : [caution('the parts record at different resolutions: the coarsest holds for all')]),
    ...(same(runs, (run) => run.url) === null && runs.some(({ url }) => url !== null)
      ? [caution('the parts name different addresses, or not all of them name one')]
      : []),
    ...(truncated.length === 0
      ? []
      : [caution(`the output of ${joinWords(truncated, 'and')} is truncated, so this run is not whole either`)]),
    ...(lost.length === 0
      ? []
      : [{ code: 'merged', message: `not carried: ${joinWords(lost, 'and')}, which the parts have` } as const]),
  ]
}

function refusalOf(parts: readonly MergePart[]): MergeRefusal | null {
  const refuse = (reason: string, hint: string): MergeRefusal => ({ kind: 'refused', reason, hint })
  const [first, ...others] = parts
  if (first === undefined || others.length === 0) return refuse('There are fewer than two runs.', 'Choose two or more.')
  if (parts.length > maxMerged) return refuse(`${parts.length} runs are too many.`, `Choose at most ${maxMerged}.`)
  const nested = parts.find(({ run }) => run.form === mergedForm)
  if (nested)
    return refuse(`${nested.name} is already made of several runs.`, 'Split it, then merge all of them together.')
  const { name } = tools[first.run.tool]
  if (tools[first.run.tool].kind === 'platform')
    return refuse(`${first.name} is of ${name}, which does not generate load.`, 'Merge runs of load generators.')
  const foreign = others.find(({ run }) => run.tool !== first.run.tool)
  if (foreign)
    return refuse(
      `${first.name} is of ${name}, ${foreign.name} of ${tools[foreign.run.tool].name}: what they count and measure differs.`,
      'Merge runs of one tool; compare those of different ones.',
    )
  const otherLoop = others.find(({ run }) => run.load.kind !== first.run.load.kind)
  if (otherLoop)
    return refuse(
      `${first.name} is of ${loopWords[first.run.load.kind]}, ${otherLoop.name} of ${loopWords[otherLoop.run.load.kind]}: their latencies mean different things.`,
      'Merge runs whose generators offered load in the same way.',
    )
  for (const [at, one] of parts.entries())
    for (const other of parts.slice(at + 1)) {
      if (haveSameFigures(one.run, other.run))
        return refuse(
          `${one.name} and ${other.name} have the same figures: they are one run twice.`,
          'Leave one of them out.',
        )
      if (areOneAttack(one.run, other.run))
        return refuse(
          `${one.name} and ${other.name} are the same attack in two forms, and it would count twice.`,
          'Keep the raw results and leave the report out.',
        )
    }
  return null
}

const loopWords = {
  open: 'an open loop',
  closed: 'a closed loop',
  observed: 'no load of its own',
  unstated: 'a loop that its output does not state',
} as const satisfies Readonly<Record<Load['kind'], string>>

/** Whether one is the raw results that the other is a report of. */
export function areOneAttack(one: ImportedRun, other: ImportedRun): boolean {
  const { forms, isExact } = counterpartForms(one)
  if (!forms.includes(other.form)) return false
  return isExact ? isSameAttack(one, other) : isSameAttack(other, one)
}

/** The value that all of them have; null: they differ, or one lacks it. */
function same<Value>(runs: readonly ImportedRun[], of: (run: ImportedRun) => Value | null): Value | null {
  const [first = null] = runs.map(of)
  return runs.every((run) => of(run) === first) ? first : null
}

/** The sum; null: one of them lacks it. */
function added(runs: readonly ImportedRun[], of: (run: ImportedRun) => number | null): number | null {
  const known = runs.flatMap((run) => of(run) ?? [])
  return known.length === runs.length ? sumOf(known) : null
}

/** A share of all requests, weighted by each part's requests. */
function weighted(runs: readonly ImportedRun[], of: (run: ImportedRun) => number | null): number | null {
  const requests = added(runs, (run) => run.requests)
  const sum = added(runs, (run) => {
    const share = of(run)
    return share === null || run.requests === null ? null : share * run.requests
  })
  return sum === null || requests === null || requests === 0 ? null : Math.min(1, sum / requests)
}

/** Rates over the same time are added; if the parts only overlap, all requests are divided by all of the time. */
function rateOf(
  runs: readonly ImportedRun[],
  { isCommon, durationMs, attackMs }: MergeWindow,
  requests: number | null,
  of: (run: ImportedRun) => number | null,
): number | null {
  if (isCommon) return added(runs, of)
  const lastsMs = runs.some(({ tool }) => tools[tool].rateIsOver === 'attackMs') ? (attackMs ?? durationMs) : durationMs
  return requests === null || lastsMs === null || lastsMs <= 0 ? null : (requests / lastsMs) * 1_000
}

function mergeLoads(runs: readonly ImportedRun[], { isCommon }: MergeWindow): Load {
  const kind = runs[0]?.load.kind
  // If parts only overlap, there was no single offered rate.
  if (kind === 'open')
    return {
      kind,
      ratePerSecond: isCommon ? added(runs, ({ load }) => (load.kind === 'open' ? load.ratePerSecond : null)) : null,
    }
  if (kind === 'closed')
    return { kind, connections: added(runs, ({ load }) => (load.kind === 'closed' ? load.connections : null)) }
  return { kind: kind ?? 'unstated' }
}

function addCodes(runs: readonly ImportedRun[]): Readonly<Record<string, number>> {
  const codes = new Map<string, number>()
  for (const { statusCodes } of runs)
    for (const [code, count] of Object.entries(statusCodes)) codes.set(code, (codes.get(code) ?? 0) + count)
  return Object.fromEntries([...codes].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** By message, the most frequent first; null if one of them lists a message without a count. */
function addErrors(runs: readonly ImportedRun[]): readonly ErrorCount[] {
  const errors = new Map<string, number | null>()
  for (const { message, count } of runs.flatMap((run) => run.errors)) {
    const before = errors.get(message)
    errors.set(message, before === null || count === null ? null : (before ?? 0) + count)
  }
  return [...errors]
    .map(([message, count]) => ({ message, count }))
    .sort((a, b) => (b.count ?? 0) - (a.count ?? 0) || (a.message < b.message ? -1 : 1))
}

/** Phases that all of them state, each weighted by what its run measured. Empty: not all state the same ones. */
function mergePhases(runs: readonly ImportedRun[]): readonly Phase[] {
  const names = runs[0]?.phases.map(({ name }) => name) ?? []
  if (runs.some(({ phases }) => phases.length !== names.length)) return []
  const merged = names.map((name): Phase | null => {
    const found = runs.flatMap(({ phases, latencies }) =>
      phases
        .filter((phase) => phase.name === name)
        .map((phase) => ({ ...phase, count: phase.count ?? latencies[0]?.count ?? null, isCounted: 'count' in phase })),
    )
    if (found.length < runs.length) return null
    const known = (values: readonly (number | null)[]) => {
      const told = values.filter((value) => value !== null)
      return told.length === values.length ? told : null
    }
    const counts = known(found.map(({ count }) => count))
    const sums = known(found.map(({ meanMs, count }) => (meanMs === null || count === null ? null : meanMs * count)))
    const [mins, maxes] = [known(found.map(({ minMs }) => minMs)), known(found.map(({ maxMs }) => maxMs))]
    const count = counts && sumOf(counts)
    return {
      name,
      meanMs: sums && count ? sumOf(sums) / count : null,
      minMs: mins && Math.min(...mins),
      maxMs: maxes && Math.max(...maxes),
      ...(count !== null && found.every(({ isCounted }) => isCounted) ? { count } : {}),
    }
  })
  const whole = merged.filter((phase) => phase !== null)
  return whole.length === names.length ? whole : []
}

/** What parts have and their sum lacks: it was computed from samples that are not stored. */
function lostOf(runs: readonly ImportedRun[]): readonly string[] {
  const has = (words: string, of: (run: ImportedRun) => boolean) => (runs.some(of) ? [words] : [])
  return [
    ...has('the course over time', ({ timeline }) => timeline !== null),
    ...has('the addresses one by one', ({ targets }) => targets !== null && targets.length > 0),
    ...has('figures that only their tool has', ({ measures }) => measures.length > 0),
  ]
}

/** Warnings about the merged run itself, then those of its parts. */
function warningsOf(runs: readonly ImportedRun[], own: readonly MergeRemark[]): readonly Warning[] {
  const said = new Map<string, Warning>()
  for (const warning of runs.flatMap(({ warnings }) => warnings))
    said.set(`${warning.code} ${warning.message}`, { ...warning, line: null })
  const inherited = [...said].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, warning]) => warning)
  return [...own.map((remark): Warning => ({ ...remark, line: null })), ...inherited]
}
