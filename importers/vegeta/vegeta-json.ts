/**
 * vegeta's JSON report, as https://github.com/tsenart/vegeta/blob/v12.12.0/lib/metrics.go#L12 (Metrics) is encoded:
 * in one line, or pretty (jq, editors). Versions 6 (no `throughput`, `90th`, `min`; `errors` null) to 12. Read by key.
 *
 *     {"latencies":{"total":2464133121,"mean":4928266,"50th":4086803,…},"bytes_in":{"total":512000,"mean":1024},…
 *     "earliest":"2026-11-21T02:13:41.640753001Z",…"duration":9980401152,"wait":2372609,"requests":500,
 *     "rate":50.09818667457105,"throughput":50.08627982268464,"success":1,"status_codes":{"200":500},"errors":[]}
 */
import { ImportError } from '../../lib/errors'
import type { ImportProblem } from '../../lib/run/run'
import { createStartTest } from '../text/first-character'
import type { Block, BlockReader, BlockRun, Line, TextImporter } from '../importer'
import { JsonCollector } from '../text/json-collector'
import { createRunOfMetrics } from './vegeta-metrics'

/** Reads vegeta's JSON report, also inside a document; of a `-every` capture the last snapshot. */
export const vegetaJson: TextImporter = {
  kind: 'text',
  id: 'vegeta-json',
  detect: ({ text }) => {
    if (!mayOpen(text)) return false
    const start = text.trimStart()
    if (!start.startsWith('{')) return false
    // An empty brace may open any JSON: the key on the next line decides.
    return start.trimEnd() === '{' || /^\{\s*"latencies"\s*:\s*\{/.test(start) || isInOneLine(start)
  },
  open: createReader,
}

const mayOpen = createStartTest('{')

/** With sorted keys (`jq -S`) other keys come first. */
function isInOneLine(text: string): boolean {
  return text.includes('"latencies"') && text.includes('"bytes_in"') && startsWithKnownKey(text) === true
}

const keys: ReadonlySet<string> = new Set([
  'latencies',
  'buckets',
  'bytes_in',
  'bytes_out',
  'earliest',
  'latest',
  'end',
  'duration',
  'wait',
  'requests',
  'rate',
  'throughput',
  'success',
  'status_codes',
  'errors',
])

/** Whether the object's first key is one of the report's; null while it has not come. */
function startsWithKnownKey(text: string): boolean | null {
  const body = text.replace(/^\s*\{\s*/, '')
  if (body === '') return null
  const key = /^"([^"\\]{1,40})"\s*(?::|$)/.exec(body)?.[1]
  return key !== undefined && keys.has(key)
}

interface Found {
  readonly run: BlockRun
  readonly problems: readonly ImportProblem[]
  readonly requests: number | null
  readonly lines: readonly [number, number]
}

function createReader(): BlockReader {
  let collector = new JsonCollector()
  let firstLine = 0
  let objectLine = 0
  let lastLine = 0
  let isSnapshot = false
  let passedSnapshots = 0
  let last: Found | null = null

  return { push, end }

  function push(line: Line): 'taken' | 'last' | 'not-mine' {
    if (collector.isEmpty) {
      // Between two snapshots of -every only the next one may stand.
      if (last !== null && !vegetaJson.detect(line)) return 'not-mine'
      if (firstLine === 0) firstLine = line.number
      objectLine = line.number
      isSnapshot = line.clearsScreen === true
    }
    const state = collector.add(line.text, line.tooLong === true)
    if (state === 'not-json' || startsWithKnownKey(collector.text) === false) return 'not-mine'
    lastLine = line.number
    return state === 'closed' ? close() : 'taken'
  }

  function close(): 'taken' | 'last' | 'not-mine' {
    const found = readObject(false)
    collector = new JsonCollector()
    if (found === null) return last === null ? 'not-mine' : 'last'
    if (last !== null) passedSnapshots++
    last = found
    return isSnapshot ? 'taken' : 'last'
  }

  /** Null: not a report of vegeta's, or nothing of it is left. */
  function readObject(isCut: boolean): Found | null {
    const value = collector.parse()
    const lines = [objectLine, lastLine] as const
    const made = createRunOfMetrics(value, objectLine)
    if (made === null) return null
    const isWhole = !isCut && !collector.isShortened
    const problems: ImportProblem[] = []
    if (!isWhole)
      problems.push({
        code: isCut ? 'truncated' : 'too-large',
        severity: isCut || !made.complete ? 'error' : 'warning',
        line: objectLine,
        lastLine,
        message: isCut
          ? "vegeta's JSON report is truncated: everything before that point was read"
          : "vegeta's JSON report exceeds the size limit: the rest of its errors is omitted",
        hint: isCut ? 'Upload the whole output of "vegeta report -type=json".' : null,
      })
    else if (!made.complete)
      problems.push({
        code: 'malformed',
        severity: 'error',
        line: objectLine,
        lastLine,
        message: `vegeta's JSON report lacks figures: ${made.missing.join(', ')}`,
        hint: 'Upload the output of "vegeta report -type=json" as it was printed.',
      })
    if (isSnapshot)
      problems.push({
        code: 'truncated',
        severity: 'error',
        line: objectLine,
        lastLine,
        message: 'this is an interim report of -every, taken before the attack ended',
        hint: 'Upload the output up to the last report, which does not clear the screen.',
      })
    return {
      run: { ...made.run, complete: made.complete && !isCut && !isSnapshot },
      problems,
      requests: made.run.requests,
      lines,
    }
  }

  function end(cut: boolean): Block | null {
    if (last === null) {
      if (collector.isEmpty) return null
      const isReport = collector.text.includes('"latencies"')
      last = readObject(true)
      if (last === null && cut && isReport)
        throw new ImportError('truncated', "vegeta's JSON report ends before its first figure", {
          line: objectLine,
          hint: 'Upload the whole output of "vegeta report -type=json".',
        })
    }
    if (last === null) return null
    const passed: ImportProblem = {
      code: 'not-imported',
      severity: 'info',
      line: firstLine,
      lastLine: last.lines[0] - 1,
      message: `${passedSnapshots} interim ${passedSnapshots === 1 ? 'report' : 'reports'} of -every: the last report counts their requests too, and is the one that was read`,
      hint: null,
    }
    return {
      lines: [firstLine, last.lines[1]],
      runs: [passedSnapshots > 0 ? { ...last.run, lines: last.lines } : last.run],
      problems: passedSnapshots > 0 ? [passed, ...last.problems] : last.problems,
    }
  }
}
