import { formatCount, formatMs, formatNumber, formatPercent } from '../format'
import { normalTail } from '../stats/distributions'
import { sliceCount } from '../cube/cube'
import type { Candidate } from './candidate'
import type { Explanation } from './explain'

/** What the sides are called, and how long each lasted, ms. */
export interface SideWords {
  readonly base: string
  readonly head: string
  readonly baseSpanMs: number
  readonly headSpanMs: number
}

/** With less explained by the first, the second is named, too. */
const nearlyAll = 0.8

/** The answer in one sentence, without a full stop. It says what a difference stands with, never what caused it. */
export function whySentence(explanation: Explanation, sides: SideWords): string {
  const { kind, candidates } = explanation
  const [first, second] = candidates
  if (kind === 'too-few') return 'Fewer than 200 rows a side: too few to rank what the difference stands with'
  if (kind === 'nothing') return 'No difference is shown: nothing stands out'
  if (first === undefined) return `${beginsAt(explanation, sides)}, and nothing that was recorded separates it`
  const words = candidateWords(first, sides)
  const isShared = first.kind === 'load-differs' || first.explained >= nearlyAll || second === undefined
  return isShared || second.kind === first.kind ? words : `${words}; next, ${lower(candidateWords(second, sides))}`
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** One candidate, as the beginning of a sentence. */
function candidateWords(one: Candidate, sides: SideWords): string {
  const share = wholePercent(one.explained)
  const traffic = one.traffic === null ? '' : ` (${wholePercent(one.traffic)} of the traffic)`
  switch (one.kind) {
    case 'load-differs': {
      const { unit = 'requests/s', base = 0, head = 0 } = one.load ?? {}
      const number = unit === 'requests/s' ? formatNumber : (value: number) => formatCount(Math.round(value))
      const words = `${sides.base} ran at ${number(base)} ${unit}, ${sides.head} at ${number(head)}`
      return `${upper(words)}: latencies of different loads are not compared`
    }
    case 'status':
      return `The difference stands with errors, most of them ${valueName(one)}: ${moved(one)} of the requests`
    case 'target':
    case 'value':
      return `${share} of the difference stands with ${valueName(one)}${traffic}`
    case 'cold-starts':
      return one.shares === null
        ? `${share} of the difference stands with ${valueName(one)}${traffic}`
        : `The difference stands with more or fewer cold starts: ${moved(one)} of the requests, each kind as fast as before`
    case 'mix':
      return `The difference stands with another mix: ${valueName(one)} ${moved(one)} of the traffic, each kind as fast as before`
    case 'time-window':
      return `The requests of ${windowWords(one, sides)} stand out in ${sideName(one, sides)}; its rest is as in ${otherName(one, sides)}`
    case 'warm-up':
      return `The beginning of ${sideName(one, sides)} (${windowWords(one, sides)}) is slower; that of ${otherName(one, sides)} is not`
    case 'shift':
      return shiftWords(one)
    case 'tail':
    case 'mode': {
      const { share: lump = 0 } = one.lump ?? {}
      const how = one.kind === 'tail' ? 'are far slower' : 'are a slower group of their own'
      return `${formatPercent(lump)} of the requests of every target ${how} in ${sideName(one, sides)}; nothing that was recorded separates them`
    }
    case 'server-part':
      return `The added time stands with ${numberName(one)} (${share})`
  }
}

/** `71 %`; below 1 %, with its digits. */
export const wholePercent = (ratio: number): string =>
  ratio < 0.01 ? formatPercent(ratio) : `${Math.round(100 * ratio)}\u00a0%`

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function shiftWords({ shift }: Candidate): string {
  const { log = 0, addedMs = 0 } = shift ?? {}
  if (addedMs !== 0)
    return `All requests take ${formatMs(Math.abs(addedMs))} ${addedMs > 0 ? 'longer' : 'less'}, every target alike`
  const factor = Math.exp(Math.abs(log))
  return `All requests are ${formatNumber(factor)} × ${log > 0 ? 'slower' : 'faster'}, every target alike`
}

/** `rose from 2 % to 31 %`. */
function moved({ shares }: Candidate): string {
  const { base = 0, head = 0 } = shares ?? {}
  return `${head >= base ? 'rose' : 'fell'} from ${formatPercent(base)} to ${formatPercent(head)}`
}

/** `GET /search`, `new connections`, `x-cache MISS`. */
export function valueName({ attribute, value }: Pick<Candidate, 'attribute' | 'value'>): string {
  const name = value ?? ''
  if (attribute === null || attribute === 'target') return name
  if (attribute === 'connection') return `${name} connections`
  if (attribute === 'cold') return `${name} starts`
  if (attribute === 'status') return name === '0' ? 'without a response' : `status ${name}`
  return `${attribute.replace(/^header:/, '')} ${name}`
}

/** What a candidate is, in few words. */
export function candidateName(one: Candidate, sides: SideWords): string {
  switch (one.kind) {
    case 'load-differs':
      return 'another load'
    case 'time-window':
    case 'warm-up':
      return `${windowWords(one, sides)} of ${sideName(one, sides)}`
    case 'shift':
      return 'all alike'
    case 'tail':
      return 'a tail of every target'
    case 'mode':
      return 'a slower group of every target'
    case 'server-part':
      return numberName(one)
    default:
      return one.shares === null ? valueName(one) : `share of ${valueName(one)}`
  }
}

function numberName({ attribute }: Candidate): string {
  const [header = '', name] = (attribute ?? '').split(';')
  return name === undefined ? header : header === 'lambda' ? `${name} of the function` : `${name} in Server-Timing`
}

const sideName = ({ side }: Candidate, { base, head }: SideWords): string => (side === 'base' ? base : head)
const otherName = ({ side }: Candidate, { base, head }: SideWords): string => (side === 'base' ? head : base)

function windowWords({ window, side }: Candidate, { baseSpanMs, headSpanMs }: SideWords): string {
  const sliceS = (side === 'base' ? baseSpanMs : headSpanMs) / 1e3 / sliceCount
  const { from = 0, to = 0 } = window ?? {}
  return `${formatNumber(from * sliceS)}–${formatNumber(to * sliceS)} s`
}

/** Where the difference begins: the lowest threshold with half of the largest one. */
function beginsAt({ parts }: Explanation, { base }: SideWords): string {
  const apart = parts.map(({ headShare, baseShare }) => Math.abs(headShare - baseShare))
  const at = apart.findIndex((one) => one >= Math.max(...apart) / 2)
  const share = parts[at]?.baseShare ?? 0
  const percentile = Math.round(100 * (1 - share))
  return `The difference begins ${percentile === 100 ? `beyond all latencies of ${base}` : `at p${percentile}`}`
}

/** p of a candidate after Bonferroni, over all values that were looked at; null: it is judged by its fit. */
export const correctedP = ({ z }: Candidate, { looked }: Explanation): number | null =>
  z === null ? null : Math.min(1, 2 * normalTail(Math.abs(z)) * Math.max(1, looked))
