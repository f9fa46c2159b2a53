import { formatCount, formatDay, plural } from '@/lib/format'
import { stateWords, type JudgedState } from '@/lib/run/judged-states'
import type { RunRow, StoredRun } from '@/lib/history/stored-runs'
import { buildSweep, chooseAxis, sweepAxes } from '@/lib/matrix/sweep'
import { sweepSentence } from '@/lib/matrix/sweep-findings'
import { joinWords } from '@/lib/text'
import { comparisonTitle, type PreparedComparison } from '../compare/prepare-comparison'
import type { PreparedMatrix } from '../matrix/prepare-matrix'
import type { PreparedBoard } from './prepare-board'
import { basisWords } from '@/lib/judge/judgement-sentence'
import { judgedChips, type JudgedChip } from '../run/judgement/judged-chips'
import { leadingMetric } from '../run/figures/expected-charts'
import { loadWords } from '../run/load-words'
import { runName } from '../runs/run-name'
import type { PictureCaption } from '../ui/plot-caption'

/** What a share states about itself wherever it is shown: on its page, in a frame, in the preview of a link. */
export interface ShareFace {
  /** Name of a run, sides of a comparison, scenarios of a matrix, number of series of a board. */
  readonly subject: string
  /** State of a judged run; null: nothing is judged, or sides are compared. */
  readonly state: JudgedState | null
  /** The same in words, by level and run; empty: there is none. */
  readonly chips: readonly JudgedChip[]
  /** The verdict, without a full stop. */
  readonly sentence: string
  /** The verdict where it stands alone, as the title of a page or link: after the run's name if it names no side. */
  readonly title: string
  /** How far that can be trusted: sentences, the last one without a full stop; empty: nothing to add. */
  readonly caution: string
  /** The first of them. */
  readonly doubt: string
  /** A run's levels and their expected ranges, or older changes of a board, without a full stop; empty: there are none. */
  readonly basis: string
  readonly facts: ShareFacts
}

/** When and how it was measured, in words. */
interface ShareFacts {
  readonly period: string
  /** Null: no run has one, or there are more than two. */
  readonly commit: string | null
  /** Null: there is none, or there are several. */
  readonly environment: string | null
  readonly tools: string
  /** How requests were offered; null: not stated, or not to all alike. */
  readonly load: string | null
  readonly count: string
}

/** All of them, in reading order. */
export const factWords = ({ period, commit, environment, tools, load, count }: ShareFacts): readonly string[] =>
  [period, commit, environment, tools, load, count].filter((fact) => fact !== null)

/** The face of a comparison, or of a lone run. */
export function comparisonFace(prepared: PreparedComparison): ShareFace {
  const { comparison, runs, sides } = prepared
  const { caution, doubt, sentence } = comparison
  const base = { sentence, caution, doubt, state: null, chips: [], basis: '' }
  if (sides.length > 1) {
    const scenarios = [...new Set(runs.map((run) => run.scenario))]
    const [only] = scenarios.length === 1 ? scenarios : []
    const subject = comparisonTitle(prepared)
    const named = only === undefined || subject.includes(only) ? subject : `${only}: ${subject}`
    return {
      ...base,
      subject: named,
      title: prepared.judged === null ? sentence : `${named}: ${sentence}`,
      facts: factsOf(
        runs,
        sides.map((side) => side.length),
      ),
    }
  }
  return runFace(sides[0][0], base)
}

const nothingSaid = { sentence: '', caution: '', doubt: '' }

/** The face of a run; `unjudged`: what is said of it without a judgement. */
export function runFace(
  run: StoredRun,
  unjudged: Pick<ShareFace, 'sentence' | 'caution' | 'doubt'> = nothingSaid,
): ShareFace {
  const face = { state: null, chips: [], basis: '', ...unjudged, ...judgedFace(run), subject: runName(run) }
  return { ...face, title: `${face.subject}: ${face.sentence}`, facts: factsOf([run], [run.judgement?.runs ?? 1]) }
}

function judgedFace(run: StoredRun): Partial<ShareFace> {
  const { judgement, complete } = run
  const truncated = complete ? '' : 'Truncated output: these are the figures that could be read'
  if (judgement === null) return { caution: truncated, doubt: truncated }
  const { state, sentence } = judgement
  const leading = leadingMetric(run)
  const basis = leading === null ? '' : basisWords(leading)
  return {
    state,
    chips: judgedChips(judgement),
    sentence: sentence.replace(/\.$/, ''),
    caution: truncated,
    doubt: truncated,
    basis,
  }
}

/** What a picture of a plot says about itself. */
export const captionOf = (
  projectName: string,
  { subject, sentence, doubt, basis, facts }: ShareFace,
): PictureCaption => ({
  subject: [projectName, subject].join(' · '),
  verdict: sentence,
  basis: [doubt, basis].filter((part) => part !== '').join('. '),
  facts: factWords(facts).join(' · '),
})

/** The face of a matrix, or of a sweep of its runs. */
export function matrixFace({ runs, matrix, metrics, query, verdict, caution }: PreparedMatrix): ShareFace {
  const rows = [...new Set(matrix.rows.map((row) => row.name))]
  const subject =
    rows.length > 3 ? `${rows.slice(0, 2).join(', ')} and ${rows.length - 2} more` : joinWords(rows, 'and')
  const axis = query.view === 'sweep' ? chooseAxis(sweepAxes(runs), query.axis) : null
  const said =
    axis === null
      ? { sentence: verdict, caution: caution ?? '', doubt: caution ?? '' }
      : { sentence: sweepSentence(buildSweep(runs, axis), metrics), caution: '', doubt: '' }
  return {
    subject,
    state: null,
    chips: [],
    ...said,
    title: said.sentence,
    basis: '',
    facts: factsOf(runs, [runs.length]),
  }
}

/** The face of a board: its newest sentence, then changes that still held when it was shared. */
export function boardFace({ runs, rows, news }: PreparedBoard): ShareFace {
  const [newest, ...older] = news.map(({ sentence }) => sentence)
  return {
    subject: plural(rows.length, 'series', 'series'),
    state: null,
    chips: [],
    sentence: newest ?? '',
    title: newest ?? '',
    caution: '',
    doubt: '',
    basis: older.join('. '),
    facts: factsOf(runs, [runs.length]),
  }
}

/** The verdict, how far it can be trusted and what it rests on, for text-only places. */
export function faceWords({ state, sentence, doubt, basis }: ShareFace): string {
  const said = state === null ? sentence : `${stateWords[state]}: ${sentence}`
  return [said, doubt, basis].filter((part) => part !== '').join('. ')
}

const maxCommits = 2

function factsOf(runs: readonly RunRow[], sizes: readonly number[]): ShareFacts {
  const distinct = (values: readonly (string | undefined)[]) => [
    ...new Set(values.flatMap((value) => (value === undefined ? [] : [value]))),
  ]
  const commits = distinct(runs.map(({ labels }) => labels['commit']))
  const stated = new Map(
    runs.map(({ load }) => [loadWords(load), load.kind === 'open' || load.kind === 'closed'] as const),
  )
  const loads = [...stated].map(([words, isStated]) => ({ words, isStated }))
  const environments = distinct(runs.map(({ environment }) => environment ?? undefined))
  return {
    period: periodOf(runs),
    commit:
      commits.length === 0 || commits.length > maxCommits ? null : `commit ${commits.map(shortCommit).join(' and ')}`,
    environment: environments.length === 1 ? (environments[0] ?? null) : null,
    tools: distinct(runs.map(({ tool }) => tool)).join(', '),
    load: loads.length === 1 && loads[0]?.isStated === true ? loads[0].words : null,
    count: countOf(runs.length, sizes),
  }
}

/** Hashes in seven digits, as in git; other names in full. */
const shortCommit = (commit: string): string => (/^[0-9a-f]{8,40}$/i.test(commit) ? commit.slice(0, 7) : commit)

/** `n = 1`; for sides, how many runs each has. */
function countOf(count: number, sizes: readonly number[]): string {
  if (count === 1) return `n = ${formatCount(sizes[0] ?? 1)}`
  if (sizes.length < 2) return plural(count, 'run')
  return sizes.every((size) => size === sizes[0])
    ? `n = ${formatCount(sizes[0] ?? 0)} each`
    : `n = ${sizes.map(formatCount).join(' + ')}`
}

/** The day or days on which runs began; for runs without a date in their text, when they were uploaded. */
function periodOf(runs: readonly RunRow[]): string {
  const times = runs.map(({ orderedAt }) => orderedAt).sort()
  const [first = '', last = ''] = [times[0], times.at(-1)]
  if (first === '') return ''
  const days = [...new Set([first, last].map(formatDay))].join(' to ')
  return runs.every(({ startedAt }) => startedAt === null) ? `uploaded ${days}` : days
}
