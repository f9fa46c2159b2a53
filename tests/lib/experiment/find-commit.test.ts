import { describe, expect, it } from 'vitest'
import { findCommit, findCommitWords, type RunOfCommit } from '@/lib/experiment/find-commit'
import { noisy } from '../detect/sample-profile'

const asked = { metricId: 'p99', run: null }
/** One run of each commit; the level rises by `ratio` at `at`. */
const runsOf = (ratio: number, noise: number, { count = 16, at = 8, seed = 3 } = {}): readonly RunOfCommit[] =>
  noisy(
    Array.from({ length: count }, (_, one) => (one < at ? 100 : 100 * (1 + ratio))),
    noise,
    seed,
  ).map((value, one) => ({ commit: `c${one}`, value }))

describe('the commit of a change', () => {
  it('is not searched where the history is sure of it', () => {
    expect(findCommit(runsOf(0.5, 0.01), asked)).toBeNull()
    expect(findCommit(runsOf(0.5, 0.01, { count: 2 }), asked)).toBeNull()
    expect(findCommit([], asked)).toBeNull()
  })

  it('is among few, with the run that halves them and the command that finds it', () => {
    const search = findCommit(runsOf(0.1, 0.05), asked)
    if (search === null) throw new Error('its place is not certain')
    const names = search.suspects.map(({ commit }) => commit)
    expect(names).toContain('c8')
    expect(names.length).toBeLessThan(12)
    const sum = search.suspects.reduce((all, { probability }) => all + probability, 0)
    expect(sum).toBeGreaterThanOrEqual(0.8)
    expect(sum).toBeLessThanOrEqual(1)
    const numberOf = (commit: string) => Number(commit.slice(1))
    expect(numberOf(search.good)).toBe(numberOf(names[0] ?? '') - 1)
    expect(search.bad).toBe(names.at(-1))
    expect(names.slice(0, -1)).toContain(search.next)
    expect(search.command).toBe(`tailboard bisect ${search.good} ${search.bad} --run ./bench.sh --on p99`)
    expect(findCommitWords(search, (commit) => commit).sentence).toMatch(
      /^By its runs, the change is in one of \d+ commits with \d+.% probability: most likely c\d+ \(\d+.%\)$/,
    )
  })

  it('holds the commit that brought it in most histories', () => {
    const seeds = Array.from({ length: 200 }, (_, seed) => seed + 1)
    const held = seeds.filter((seed) => {
      const search = findCommit(runsOf(0.1, 0.06, { seed }), asked)
      return search === null || search.suspects.some(({ commit }) => commit === 'c8')
    })
    expect(held.length / seeds.length).toBeGreaterThan(0.8)
  })

  it('quotes the command of a run, and names no commit that a shell would not take for a word', () => {
    const search = findCommit(runsOf(0.1, 0.05), { metricId: 'p99', run: "hey -n 10 'http://a/b'" })
    expect(search?.command).toContain(String.raw`--run 'hey -n 10 '\''http://a/b'\''' --on p99`)
    const odd = runsOf(0.1, 0.05).map((run) => ({ ...run, commit: `$(${run.commit})` }))
    expect(findCommit(odd, asked)).toBeNull()
  })
})
