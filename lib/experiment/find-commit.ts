import { formatPercent, plural } from '../format'
import { commitPrior } from './commit-prior'

/** A run of a series, by its commit. */
export interface RunOfCommit {
  readonly commit: string
  /** Above 0, in the metric that changed. */
  readonly value: number
}

/** Where the history of a series places a change that one of its commits brought. */
export interface CommitSearch {
  /** The newest commit that is before the change with 80 % probability, and the oldest that is after it. */
  readonly good: string
  readonly bad: string
  /** The commits between them, `bad` included, with their probabilities, in order of time. */
  readonly suspects: readonly { readonly commit: string; readonly probability: number }[]
  /** The one whose run says most: it halves what is left. */
  readonly next: string
  /** The command that finds it. */
  readonly command: string
}

/** The suspects hold so much of the probability together. */
const likely = 0.8
/** Commits that a shell takes for a word. */
const word = /^\w[\w./-]*$/

/**
 * Which commits may have brought a change, by the runs around it alone: those since the change before and up to the next
 * one, in order of time. `run`: the command of a run; null: not known. Null: its place is certain, or too little is
 * known.
 */
export function findCommit(
  runs: readonly RunOfCommit[],
  { metricId, run }: { readonly metricId: string; readonly run: string | null },
): CommitSearch | null {
  const known = runs.filter(({ commit, value }) => word.test(commit) && value > 0)
  const commits = [...new Set(known.map(({ commit }) => commit))]
  if (commits.length < 3) return null
  const past = known.map(({ commit, value }) => ({ at: commits.indexOf(commit), log: Math.log(value) }))
  const prior = commitPrior(commits.length, past)
  const { from, to } = likelyRange(prior)
  if (from === to) return null
  const [good = '', bad = ''] = [commits[from - 1], commits[to]]
  const suspects = commits.slice(from, to + 1).map((commit, at) => ({ commit, probability: prior[from + at] ?? 0 }))
  const command = `tailboard bisect ${good} ${bad} --run ${quoted(run ?? './bench.sh')} --on ${metricId}`
  return { good, bad, suspects, next: halving(suspects), command }
}

/** Around the likeliest commit, as far as the probability needs. */
function likelyRange(prior: readonly number[]): { readonly from: number; readonly to: number } {
  const top = prior.indexOf(Math.max(...prior))
  let [from, to] = [top, top]
  let mass = prior[top] ?? 0
  while (mass < likely && (from > 1 || to < prior.length - 1)) {
    const [before, after] = [from > 1 ? (prior[from - 1] ?? 0) : -1, prior[to + 1] ?? -1]
    if (before >= after) from -= 1
    else to += 1
    mass += Math.max(before, after)
  }
  return { from, to }
}

/** A run of the last one would say nothing: it has the change. */
function halving(suspects: CommitSearch['suspects']): string {
  const total = suspects.reduce((sum, { probability }) => sum + probability, 0)
  let [share, nearest, next] = [0, Number.POSITIVE_INFINITY, suspects[0]?.commit ?? '']
  for (const { commit, probability } of suspects.slice(0, -1)) {
    share += probability / total
    if (Math.abs(share - 0.5) >= nearest) continue
    nearest = Math.abs(share - 0.5)
    next = commit
  }
  return next
}

const quoted = (command: string): string =>
  /^[\w./-]+$/.test(command) ? command : `'${command.replaceAll("'", String.raw`'\''`)}'`

/** `nameOf`: a commit as it is shown. Sentences without a full stop. */
export function findCommitWords(
  { suspects, next }: CommitSearch,
  nameOf: (commit: string) => string,
): { readonly sentence: string; readonly next: string } {
  const total = suspects.reduce((sum, { probability }) => sum + probability, 0)
  const [first] = suspects.toSorted((a, b) => b.probability - a.probability)
  const percent = (ratio: number) => formatPercent(Number(ratio.toFixed(2)))
  const most = first === undefined ? '' : `: most likely ${nameOf(first.commit)} (${percent(first.probability)})`
  return {
    sentence: `By its runs, the change is in one of ${plural(suspects.length, 'commit')} with ${percent(total)} probability${most}`,
    next: `A run of ${nameOf(next)} would say most`,
  }
}
