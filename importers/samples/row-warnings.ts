import { formatBytes, formatDuration } from '../../lib/format'
import type { Warning } from '../../lib/run/run'
import type { Samples } from './samples'

const longestPlausibleMs = 3_600_000

/** Warnings from the rows of a run: a clock that moved, answers that changed their size. */
export function warnOfRows(samples: Samples): Warning[] {
  const clock = warnOfClock(samples)
  const change = samples.payloadChange()
  if (change === null) return clock
  const { firstBytes, lastBytes } = change
  const message = `The responses changed during the run: median ${formatBytes(firstBytes)} in its first third, ${formatBytes(lastBytes)} in its last.`
  return [...clock, { code: 'payload-changed', message, line: null, numbers: { firstBytes, lastBytes } }]
}

function warnOfClock(samples: Samples): Warning[] {
  const { stepBackMs, gap } = samples.startTimes.faults()
  const { negatives: belowZero } = samples
  const maxMs = samples.longestNs / 1e6
  const numbers: Record<string, number> = {}
  const signs: string[] = []
  if (belowZero > 0) {
    Object.assign(numbers, { belowZero })
    signs.push(`${belowZero} ${belowZero === 1 ? 'result has a time' : 'results have times'} below zero, left out`)
  }
  if (stepBackMs !== null) {
    Object.assign(numbers, { stepBackMs })
    signs.push(`a request began ${formatDuration(stepBackMs)} before an earlier one`)
  }
  if (gap !== null) {
    Object.assign(numbers, gap)
    signs.push(
      `no request began for ${formatDuration(gap.gapMs)}, where they usually begin every ${formatDuration(gap.usualMs)}`,
    )
  }
  if (maxMs > longestPlausibleMs) {
    Object.assign(numbers, { maxMs })
    signs.push(`a response took ${formatDuration(maxMs)}`)
  }
  if (signs.length === 0) return []
  const message = `The clock moved, or the machine stood still: ${signs.join('; ')}.`
  return [{ code: 'clock-jump', message, line: null, numbers }]
}
