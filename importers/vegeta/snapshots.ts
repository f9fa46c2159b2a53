import type { ImportProblem } from '../../lib/run/run'
import { errorAt, infoAt } from '../import-problem'

/** The interim reports of `-every` above the one that was read; none: no problem. */
export function passedReports(count: number, firstLine: number, lastLine: number): ImportProblem[] {
  if (count === 0) return []
  const message = `${count} interim ${count === 1 ? 'report' : 'reports'} of -every: the last report counts their requests too, and is the one that was read`
  return [infoAt('not-imported', [firstLine, lastLine], message)]
}

/** The report that was read cleared the screen: vegeta prints at least one more after it. */
export function interimReport(
  lines: readonly [number, number],
  hint = 'Upload the output up to the last report, which does not clear the screen.',
): ImportProblem {
  return errorAt('truncated', lines, 'this is an interim report of -every, taken before the attack ended', hint)
}
