import type { ImportProblem, Warning } from '../../lib/run/run'
import type { BlockRun } from '../importer'
import type { FailureLine } from './failure-line'
import type { LambdaInvocation } from './lambda-invocation'
import { LambdaSamples } from './lambda-samples'
import type { Wanted } from '../rows/wanted'
import { LogTimes } from '../text/log-times'
import { RequestIds } from './request-ids'
import { WaitingReports, waitingPlaces } from './waiting-reports'
import { errorAt } from '../import-problem'

/** Invocations that wait, at least, for a "Task timed out" line about them. */
const maxWaiting = waitingPlaces / 2
const maxFunctions = 200
/** Most unreadable reports that are listed individually. */
const maxLosses = 20
const lossHint = 'Upload the log as AWS wrote it.'
/** Functions with exact quantiles and a timeline, which take most memory. */
const maxMainFunctions = 8

/** The place of a report in a log. */
export interface ReportPlace {
  readonly functionName: string | null
  readonly stream: string | null
  readonly line: number | null
}

interface Group {
  readonly name: string | null
  readonly samples: LambdaSamples
  readonly firstLine: number | null
  lastLine: number | null
}

/**
 * All invocations of a log, by function. A request id that comes again with other figures is a retry, and an
 * invocation; with the same figures it is the same report twice, and counted once. Memory: the ids (at most 16 MiB) and
 * the functions.
 */
export class LambdaLog {
  readonly times = new LogTimes()
  /** INIT_REPORT lines: about the start-up, not invocations. */
  initReports = 0
  /** Function names near the reports, if the reports have none. */
  private readonly names = new Set<string>()
  private repeated = 0
  private droppedFunctions = 0
  private lost = 0
  /** Reports found, whether read or not. */
  found = 0
  private readonly losses: ImportProblem[] = []
  private readonly ids = new RequestIds()
  private readonly groups = new Map<string | null, Group>()
  /** The function of the last report. */
  private latest: Group | null = null
  /** The latest invocations: repeated ids are detected when they are counted. */
  readonly waiting = new WaitingReports()
  private readonly isNew = new Uint8Array(waitingPlaces)
  /** Requests that failed according to a line before their report → status. */
  private readonly failedIds = new Map<number, string>()

  /** `wanted`: what is asked for beside the runs. */
  constructor(private readonly wanted: Wanted = {}) {}

  /** Nothing was counted. */
  get isEmpty(): boolean {
    return this.groups.size === 0 && this.waiting.size === 0
  }

  /** Counts an invocation, unless the same report was there before. */
  add(invocation: LambdaInvocation, place: ReportPlace): void {
    this.waiting.write(invocation)
    this.times.add(invocation.reportedAtMs)
    this.addNext(place.functionName, place.stream, place.line)
  }

  /** Counts the invocation written to the next place of `waiting`, which is at this place in the log. */
  addNext(functionName: string | null, stream: string | null, line: number | null): void {
    const { waiting } = this
    const at = waiting.next
    this.found++
    waiting.functionName[at] = functionName
    waiting.stream[at] = stream
    waiting.line[at] = line ?? 0
    if (this.failedIds.size > 0 && waiting.hasKey[at] === 1) this.markFailed(at)
    waiting.size++
    if (waiting.isFull) this.count(maxWaiting)
  }

  /** Takes a function's name found near the reports: if it is the only one, it is the run's. */
  addName(name: string): void {
    if (this.names.size < 2) this.names.add(name.slice(0, 140))
  }

  /** Logs without Status (until 2023) state a failure on a line of its own, before or after the report. */
  addFailure({ requestId, status }: FailureLine): void {
    if (this.waiting.findFailed(requestId, status)) return
    if (this.failedIds.size < 10_000) this.failedIds.set(this.waiting.numberOfText(requestId), status)
  }

  private markFailed(at: number): void {
    const { waiting, failedIds } = this
    const number = waiting.numberOf(at)
    const status = failedIds.get(number)
    if (status === undefined) return
    failedIds.delete(number)
    waiting.markFailed(at, status)
  }

  /**
   * Records that a report could not be read, or only in part: the runs of its log are incomplete. `line`: null:
   * unknown.
   */
  lose(line: number | null, code: 'malformed' | 'truncated', why: string): void {
    this.found++
    if (++this.lost > maxLosses) return
    const message = `a REPORT that cannot be read in full: ${why}`
    this.losses.push(errorAt(code, line, message, lossHint))
  }

  /** Counts the oldest waiting invocations. */
  private count(rows: number): void {
    const { waiting, isNew } = this
    // Only the ids first: the processor then waits for several places of the table at once.
    for (let row = 0; row < rows; row++) {
      const at = waiting.placeOf(row)
      isNew[row] = waiting.hasKey[at] === 0 || this.ids.add(waiting.high[at] ?? 0, waiting.figuresKey(at)) ? 1 : 0
    }
    for (let row = 0; row < rows; row++)
      if (isNew[row] === 1) this.countRow(waiting.placeOf(row))
      else this.repeated++
    waiting.drop(rows)
  }

  private countRow(at: number): void {
    const { waiting } = this
    const functionName = waiting.functionName[at] ?? null
    const line = waiting.line[at] || null
    const group = this.findGroup(functionName, line)
    if (group === null) return
    group.lastLine = line
    const stream = waiting.stream[at] ?? null
    if (stream !== null) group.samples.addStream(stream)
    group.samples.add(waiting, at)
  }

  private findGroup(functionName: string | null, line: number | null): Group | null {
    const { latest } = this
    if (latest !== null && latest.name === functionName) return latest
    const known = this.groups.get(functionName)
    if (known !== undefined) return (this.latest = known)
    if (this.groups.size >= maxFunctions) {
      this.droppedFunctions++
      return null
    }
    const samples = new LambdaSamples(this.groups.size < maxMainFunctions, this.wanted.cube)
    const group = { name: functionName, samples, firstLine: line, lastLine: line }
    this.groups.set(functionName, group)
    return (this.latest = group)
  }

  /** One run per function, in order of appearance. Call it once, at the end. */
  toRuns(form: string, complete: boolean): BlockRun[] {
    this.count(this.waiting.size)
    const groups = [...this.groups]
    const isOnly = groups.length === 1
    const [onlyName] = this.names
    return groups.map(([ownName, { samples, firstLine, lastLine }], index) => ({
      ...samples.toRun({
        form,
        functionName: ownName ?? (isOnly && this.names.size === 1 ? (onlyName ?? null) : null),
        firstAt: isOnly ? this.times.firstAt : null,
        lastAt: isOnly ? this.times.lastAt : null,
        complete: complete && this.lost === 0,
        warnings: index === 0 ? this.listWarnings() : [],
        line: firstLine,
      }),
      ...(isOnly || firstLine === null || lastLine === null ? {} : { lines: [firstLine, lastLine] as const }),
    }))
  }

  /** What was left out. */
  listProblems(lines: readonly [number, number] | null): ImportProblem[] {
    const { losses, lost } = this
    const problems: ImportProblem[] = [...losses]
    if (lost > losses.length)
      problems.push(
        errorAt(
          'malformed',
          losses.at(-1)?.line ?? null,
          `${lost - losses.length} more REPORTs below it cannot be read in full`,
          lossHint,
        ),
      )
    if (this.droppedFunctions > 0)
      problems.push(
        errorAt(
          'too-large',
          [lines?.[0] ?? null, lines?.[1] ?? null],
          `${this.droppedFunctions} invocations of further functions are omitted: a file may contain ${maxFunctions}`,
          'Upload the logs of fewer functions at once.',
        ),
      )
    return problems
  }

  private listWarnings(): Warning[] {
    const warnings: Warning[] = []
    const warn = (code: string, message: string) => warnings.push({ code, message, line: null })
    if (this.repeated > 0)
      warn(
        'repeated-request-ids',
        `${this.repeated} REPORT lines repeat a request id with the same figures and were counted once.`,
      )
    if (this.ids.isFull)
      warn('request-ids-not-checked', 'Only the first 1,500,000 request ids were checked for repeats.')
    if (this.initReports > 0)
      warn(
        'init-reports',
        `${this.initReports} INIT_REPORT lines belong to start-ups, and are not counted as invocations.`,
      )
    if (this.names.size > 1 && this.groups.size === 1)
      warn('several-functions', 'It has records of several functions, which cannot be distinguished.')
    return warnings
  }
}
