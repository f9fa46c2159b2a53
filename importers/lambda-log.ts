import type { ImportProblem, Warning } from '../lib/run'
import type { BlockRun } from './importer'
import type { LambdaInvocation } from './lambda-invocation'
import { LambdaSamples } from './lambda-samples'
import { LogTimes } from './log-times'
import { RequestIds } from './request-ids'

/** Invocations that wait for a "Task timed out" line about them. */
const maxWaiting = 256
const maxFunctions = 200
/** Functions with exact quantiles and a timeline: they take the memory. */
const maxMainFunctions = 8

/** Where a report stands in a log. */
export interface ReportPlace {
  readonly functionName: string | null
  readonly stream: string | null
  readonly line: number | null
}

interface Group {
  readonly samples: LambdaSamples
  readonly firstLine: number | null
  lastLine: number | null
}

/**
 * All invocations of a log, by function; each request id is counted once. Memory: what the ids take (32 MiB at most)
 * and the functions.
 */
export class LambdaLog {
  readonly times = new LogTimes()
  /** INIT_REPORT lines: of the start-up, not of invocations. */
  initReports = 0
  /** Function names that stand beside the reports, where none stands with them. */
  private readonly names = new Set<string>()
  private repeated = 0
  private droppedFunctions = 0
  private readonly ids = new RequestIds()
  private readonly groups = new Map<string | null, Group>()
  private readonly waiting: { readonly invocation: LambdaInvocation; readonly group: Group }[] = []
  private readonly timedOutIds = new Set<string>()

  /** Nothing was counted. */
  get isEmpty(): boolean {
    return this.groups.size === 0
  }

  /** Counts an invocation, unless its request id was there before. */
  add(invocation: LambdaInvocation, { functionName, stream, line }: ReportPlace): void {
    this.times.add(invocation.reportedAtMs)
    const { requestId } = invocation
    if (requestId !== null && !this.ids.add(requestId)) {
      this.repeated++
      return
    }
    const group = this.findGroup(functionName, line)
    if (group === null) return
    group.lastLine = line
    if (stream !== null) group.samples.addStream(stream)
    if (requestId !== null && this.timedOutIds.size > 0 && this.timedOutIds.delete(requestId)) markTimeout(invocation)
    this.waiting.push({ invocation, group })
    if (this.waiting.length >= 2 * maxWaiting) this.count(maxWaiting)
  }

  /** Takes a function's name that stands beside the reports: it is the run's when it is the only one. */
  addName(name: string): void {
    if (this.names.size < 2) this.names.add(name.slice(0, 140))
  }

  /** Logs without Status (until 2023) tell a timeout in a line of its own, before or after the report. */
  addTimeout(requestId: string): void {
    const found = this.waiting.findLast(({ invocation }) => invocation.requestId === requestId)
    if (found !== undefined) markTimeout(found.invocation)
    else if (this.timedOutIds.size < 10_000) this.timedOutIds.add(requestId)
  }

  /** Counts the oldest of the invocations that wait. */
  private count(number: number): void {
    for (const { invocation, group } of this.waiting.splice(0, number)) group.samples.add(invocation)
  }

  private findGroup(functionName: string | null, line: number | null): Group | null {
    const known = this.groups.get(functionName)
    if (known !== undefined) return known
    if (this.groups.size >= maxFunctions) {
      this.droppedFunctions++
      return null
    }
    const samples = new LambdaSamples(this.groups.size < maxMainFunctions)
    const group = { samples, firstLine: line, lastLine: line }
    this.groups.set(functionName, group)
    return group
  }

  /** One run for each function, in order of appearance. Call it once, at the end. */
  toRuns(form: string, complete: boolean): BlockRun[] {
    this.count(this.waiting.length)
    const groups = [...this.groups]
    const isOnly = groups.length === 1
    const [onlyName] = this.names
    return groups.map(([ownName, { samples, firstLine, lastLine }], index) => ({
      ...samples.toRun({
        form,
        functionName: ownName ?? (isOnly && this.names.size === 1 ? (onlyName ?? null) : null),
        firstAt: isOnly ? this.times.firstAt : null,
        lastAt: isOnly ? this.times.lastAt : null,
        complete,
        warnings: index === 0 ? this.listWarnings() : [],
        line: firstLine,
      }),
      ...(isOnly || firstLine === null || lastLine === null ? {} : { lines: [firstLine, lastLine] as const }),
    }))
  }

  /** What was left out. */
  listProblems(lines: readonly [number, number] | null): ImportProblem[] {
    if (this.droppedFunctions === 0) return []
    return [
      {
        code: 'too-large',
        severity: 'error',
        line: lines?.[0] ?? null,
        lastLine: lines?.[1] ?? null,
        message: `${this.droppedFunctions} invocations of further functions are left out: a file may hold ${maxFunctions}`,
        hint: 'Upload the logs of fewer functions at once.',
      },
    ]
  }

  private listWarnings(): Warning[] {
    const warnings: Warning[] = []
    const warn = (code: string, message: string) => warnings.push({ code, message, line: null })
    if (this.repeated > 0)
      warn('repeated-request-ids', `${this.repeated} REPORT lines repeat a request id and were counted once.`)
    if (this.ids.isFull)
      warn('request-ids-not-checked', 'Only the first 1,500,000 request ids were checked for repeats.')
    if (this.initReports > 0)
      warn('init-reports', `${this.initReports} INIT_REPORT lines are of the start-up, and not counted as invocations.`)
    if (this.names.size > 1 && this.groups.size === 1)
      warn('several-functions', 'Records of several functions are in it, which cannot be told apart.')
    return warnings
  }
}

function markTimeout(invocation: LambdaInvocation): void {
  if (invocation.status === 'success') invocation.status = 'timeout'
}
