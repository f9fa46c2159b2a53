import { versionOf, type BrokenLimit } from '../run/judgement'
import type { LoadProfile } from '../history/series'
import { begunLevelAt, groundsOf, newsRuns, type LevelHistory } from './judge-profile'

/**
 * The basis of the judgement of each of the newest `count` runs of a profile, as a short text that changes with it: the
 * version of the rules, the values before it and its own, the changes of level, limits, guards and failures. A run with
 * an unchanged basis need not be judged again.
 */
export function judgementBases(
  profile: LoadProfile,
  histories: readonly LevelHistory[],
  limits: readonly BrokenLimit[],
  count: number,
): ReadonlyMap<string, string> {
  const newest = profile.points.slice(-count)
  const wanted = new Set(newest.map(({ runId }) => runId))
  const sums = new Map<string, Checksum>()
  const sumOf = (runId: string): Checksum => {
    const known = sums.get(runId) ?? new Checksum()
    sums.set(runId, known)
    return known
  }
  for (const history of histories) {
    const { metric, points, values, settings, changes } = history
    points.forEach((point, at) => {
      if (!point.runIds.some((runId) => wanted.has(runId))) return
      const { from, since, news } = groundsOf(history, at)
      const grounds = new Checksum()
      grounds.addText(metric.id)
      grounds.add(settings.minEffect)
      for (let place = from; place <= at; place += 1) grounds.add(values[place] ?? 0)
      grounds.add(since - from)
      // Relative, because one more run at the end of the history moves all its positions.
      grounds.addText(JSON.stringify(news && { ...news, index: news.index - from }))
      const begun = begunLevelAt(history, at)
      if (begun !== null) grounds.addText(JSON.stringify(begun))
      // News for some runs only.
      const age = at - (changes.findLast((one) => one.index <= at)?.index ?? at)
      for (const runId of point.runIds) {
        if (!wanted.has(runId)) continue
        const own = sumOf(runId)
        own.addAll(grounds)
        own.add(Math.min(age, newsRuns))
        own.add(point.runIds.length)
      }
    })
  }
  const ofLimits = JSON.stringify(limits)
  return new Map(
    newest.map(({ runId, guards, figures, judgedBy }) => {
      const own = sumOf(runId)
      own.addText(ofLimits)
      own.addText(JSON.stringify(guards))
      own.add(figures.errorCount ?? -1)
      own.add(figures.errorRatio ?? -1)
      if (judgedBy !== undefined) own.addText(judgedBy)
      return [runId, `${versionOf(judgedBy)} ${own}`]
    }),
  )
}

/** Two 32-bit sums (FNV-1a, and the same from another start) over numbers and texts. */
class Checksum {
  #one = 0x811c9dc5
  #two = 0x2c1b3c6d

  add(value: number): void {
    number[0] = value
    this.#mix(words[0] ?? 0)
    this.#mix(words[1] ?? 0)
  }

  addText(text: string): void {
    for (let at = 0; at < text.length; at += 1) this.#mix(text.charCodeAt(at))
  }

  addAll(other: Checksum): void {
    this.#mix(other.#one)
    this.#mix(other.#two)
  }

  toString(): string {
    return `${(this.#one >>> 0).toString(36)}${(this.#two >>> 0).toString(36)}`
  }

  #mix(word: number): void {
    this.#one = Math.imul(this.#one ^ word, 0x01000193)
    this.#one ^= this.#one >>> 15
    this.#two = Math.imul(this.#two ^ word, 0x85ebca6b)
    this.#two ^= this.#two >>> 13
  }
}

const number = new Float64Array(1)
const words = new Int32Array(number.buffer)
