import { formatPercent, plural, roundChange } from '../format'
import type { Metric } from '../run/metrics'
import type { DoesLess } from './does-less'
import { intervalWords, lessWords } from './experiment-words'
import { roundsToKeep, type Confirmed, type RevertReason, type reused } from './session'
import { claimedRatio, effectOf, metricOf, planOf, type AttemptResult, type StoredSession } from './stored-session'

/** What is said of an attempt. */
export type AttemptVerdict =
  | { readonly verdict: 'keep'; readonly effectRatio: number }
  | { readonly verdict: 'revert'; readonly why: RevertReason; readonly effectRatio: number | null }
  | { readonly verdict: 'suspect'; readonly why: DoesLess | typeof reused }
  | { readonly verdict: 'duplicate'; readonly of: string }
  | { readonly verdict: 'not-run' }

type Named = Pick<Metric, 'shortLabel'>

/** A sentence without a full stop, that begins with the verdict. */
export function attemptWords(name: string, said: AttemptVerdict, { shortLabel }: Named): string {
  switch (said.verdict) {
    case 'keep':
      return `keep: ${shortLabel} of ${name} ${roundChange(said.effectRatio)} against the best so far`
    case 'revert': {
      const figures = said.effectRatio === null ? '' : `, ${shortLabel} ${roundChange(said.effectRatio)}`
      return `revert: ${revertWords[said.why]}${figures}`
    }
    case 'suspect':
      return `suspect: ${said.why === 'reused-output' ? 'its output is an old one' : `it does less: ${lessWords[said.why]}`}`
    case 'duplicate':
      return `duplicate: it is the same change as ${said.of}, which has its verdict`
    case 'not-run':
      return 'not run: the runs that are left confirm the best'
  }
}

const revertWords: Readonly<Record<RevertReason, string>> = {
  'not-shown': 'no gain was shown by the last round',
  'would-not-show': 'more rounds would hardly show a gain',
  budget: 'the runs of the session do not hold more rounds',
  void: 'three rounds in a row were void',
}

/** What an attempt takes at the noise that was seen. */
export const needsWords = (rounds: number | null, ratio: number): string =>
  rounds === null
    ? `At this noise no attempt shows ${formatPercent(ratio)}`
    : `At this noise an attempt needs ${plural(rounds, 'round')} to show ${formatPercent(ratio)}`

/** The gain that is reported, with the one that was claimed attempt by attempt beside it. */
export function confirmedWords(confirmed: Confirmed | null, claimedRatio: number, { shortLabel }: Named): string {
  if (confirmed === null) return `Not confirmed: too few runs were left; claimed ${roundChange(claimedRatio)}`
  const figures = `${shortLabel} of the best ${roundChange(confirmed.effectRatio)} (${intervalWords(confirmed)})`
  return `Confirmed: ${figures} against the original base in ${plural(confirmed.rounds, 'fresh round')}; claimed ${roundChange(claimedRatio)}`
}

/** What became of an attempt, or of the confirmation, and what that rests on; each without a full stop. */
export function resultWords(
  session: StoredSession,
  name: string,
  result: AttemptResult | null,
): { readonly words: string; readonly notes: readonly string[] } {
  const metric = metricOf(session)
  if (result === null) return { words: 'Not decided yet', notes: [] }
  if (result.verdict === 'confirmed' && !session.attempts.some((one) => one.result?.verdict === 'keep'))
    return { words: 'No attempt gained: the best is base', notes: [] }
  if (result.verdict === 'confirmed')
    return { words: confirmedWords(result.confirmed, claimedRatio(session), metric), notes: [] }
  return { words: attemptWords(name, saidOf(session, result), metric), notes: notesOf(session, result) }
}

function saidOf(session: StoredSession, result: Exclude<AttemptResult, { verdict: 'confirmed' }>): AttemptVerdict {
  switch (result.verdict) {
    case 'keep':
      return { verdict: 'keep', effectRatio: effectOf(session, result.gainLog) }
    case 'revert': {
      const effectRatio = result.gainLog === null ? null : effectOf(session, result.gainLog)
      return { verdict: 'revert', why: result.why, effectRatio }
    }
    default:
      return result
  }
}

function notesOf(session: StoredSession, result: AttemptResult): readonly string[] {
  if (result.verdict !== 'keep' && result.verdict !== 'revert') return []
  const { deviation } = result
  if (deviation === null) return []
  return [needsWords(roundsToKeep(planOf(session, false), deviation, session.smallestRatio), session.smallestRatio)]
}
