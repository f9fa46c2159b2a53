import { absentValue, restValue, type BoxedCubes, type Cube } from '../cube/cube'
import type { RowBox } from '../cube/row-box'
import { formatCount, plural } from '../format'
import { drawnShareP } from '../stats/drawn-share'
import { aliasesOf } from './aliases'
import { preference, type Candidate } from './candidate'
import { fewestRows as fewestForLatencies } from './explain'
import { groupsOf, hasMoved, shareZ, wholeGroup, type Group, type GroupValue } from './groups'
import { partsOf, type PartsAbove } from './parts'
import { leastP } from './ranked-values'
import { slowerValues } from './slower-values'
import { valueName, wholePercent } from './why-sentence'

/** A value, and its share of the requests in a box and of all others. */
export interface BoxValue {
  readonly attribute: string
  readonly value: string
  /** Requests in the box, and outside of it. */
  readonly insideRows: number
  readonly outsideRows: number
  /** Shares of those in the box, and of all others, 0…1. */
  readonly inside: number
  readonly outside: number
  /** Standard deviations of the difference; above 0: the box has more of it. */
  readonly z: number
  /** Exact, after Bonferroni over all values compared. */
  readonly p: number
  readonly standsOut: boolean
  /** It is another name of the requests that the sentence names. */
  readonly isAlias: boolean
}

/** What the requests in a box differ by from all others of their run: where they are, never why. */
export interface BoxAnswer {
  /** `slower`: no value has another share, and one takes longer. `refused`: nothing can be said. */
  readonly kind: 'stands-out' | 'slower' | 'nothing' | 'too-few' | 'refused'
  /** Without a full stop, as are the notes. */
  readonly sentence: string
  readonly notes: readonly string[]
  readonly insideRows: number
  readonly outsideRows: number
  /** Attributes and values that were compared. */
  readonly attributes: number
  readonly looked: number
  /** What stands out first, then by the difference of the shares. */
  readonly values: readonly BoxValue[]
  /** Of a box that chose no latencies: parts of the difference above each. */
  readonly parts: readonly PartsAbove[]
}

/** With fewer requests in the box nothing is ranked. */
const fewestInBox = 50

/** Why there is no answer. */
export const refusedBox = (sentence: string): BoxAnswer => ({
  ...{ kind: 'refused', sentence, notes: [], insideRows: 0, outsideRows: 0, attributes: 0, looked: 0 },
  ...{ values: [], parts: [] },
})

/**
 * Ranks the values of the requests in a box against all others of the run. Times, loads and latencies are what the box
 * was drawn by: they are no answer. `scatter`: φ of the run.
 */
export function explainBox({ inside, outside }: BoxedCubes, box: RowBox, scatter: number): BoxAnswer {
  const rows = { insideRows: inside.rows, outsideRows: outside.rows }
  const few = tooFew(inside.rows, outside.rows)
  if (few !== null) return { ...refusedBox(few), ...rows, kind: 'too-few' }
  const groups = groupsOf(outside, inside)
  const looked = groups.reduce((sum, { values }) => sum + values.length, 0)
  const values = rankedInBox(groups, outside, inside, looked)
  const [first] = values
  const isOpen = box.aboveMs === null && box.belowMs === null
  const canSlow = isOpen && Math.min(inside.rows, outside.rows) >= fewestForLatencies
  const slower = canSlow ? slowerValues(groups, scatter)[0] : undefined
  const layer = groups.find(({ name }) => name === 'target') ?? wholeGroup(outside, inside)
  const said = { ...rows, attributes: groups.length, looked, values }
  const parts = isOpen ? partsOf(outside, inside, layer, null) : []
  const notes = notesOf(inside, isOpen, looked)
  if (first?.standsOut === true)
    return { ...said, kind: 'stands-out', sentence: standsOutWords(values, groups), notes, parts }
  if (slower !== undefined) return { ...said, kind: 'slower', sentence: slowerWords(slower), notes, parts }
  const sentence =
    groups.length === 0
      ? 'The rows of this run record nothing by which requests differ'
      : 'Nothing that was recorded stands out in the box'
  return { ...said, kind: 'nothing', sentence, notes, parts }
}

function tooFew(inside: number, outside: number): string | null {
  const needs = `too few to rank, ${fewestInBox} are needed`
  if (inside < fewestInBox) return `${count(inside)} in the box: ${needs}`
  return outside < fewestInBox ? `${count(outside)} outside of the box: ${needs}` : null
}

const count = (rows: number): string =>
  rows === 0 ? 'No request is' : rows === 1 ? '1 request is' : `${formatCount(rows)} requests are`

function rankedInBox(groups: readonly Group[], outside: Cube, inside: Cube, looked: number): readonly BoxValue[] {
  const values = groups.flatMap(({ name, values: own }) =>
    own
      // What is not told apart has no name.
      .filter(({ value }) => value !== restValue)
      .map((value) => boxValue(name, value, outside, inside, looked)),
  )
  const sorted = values.toSorted(
    (a, b) =>
      Number(b.standsOut) - Number(a.standsOut) ||
      b.inside - b.outside - (a.inside - a.outside) ||
      preference(a.attribute) - preference(b.attribute),
  )
  const [first] = sorted
  if (first?.standsOut !== true) return sorted
  const aliases = aliasesOf(groups, first)
  const isAlias = (one: BoxValue) =>
    aliases.some(({ attribute, value }) => attribute === one.attribute && value === one.value)
  return sorted.map((one) => ({ ...one, isAlias: isAlias(one) }))
}

function boxValue(attribute: string, one: GroupValue, outside: Cube, inside: Cube, looked: number): BoxValue {
  const [insideRows, outsideRows] = [one.head?.rows ?? 0, one.base?.rows ?? 0]
  const exact = drawnShareP(insideRows, inside.rows, insideRows + outsideRows, inside.rows + outside.rows)
  const p = Math.min(1, exact * looked)
  return {
    ...{ attribute, value: one.value, insideRows, outsideRows, inside: one.headShare, outside: one.baseShare },
    ...{ z: shareZ(one, outside, inside), p, isAlias: false },
    standsOut: p < leastP && hasMoved(one, outside, inside),
  }
}

/** `84 % of the requests in the box are on new connections, 3.5 % of the rest; no target stands out`. */
function standsOutWords(values: readonly BoxValue[], groups: readonly Group[]): string {
  const standing = values.filter(({ standsOut }) => standsOut)
  const [first] = standing
  if (first === undefined) return ''
  const isOther = ({ attribute }: BoxValue) =>
    // A target implies its method.
    attribute !== first.attribute && !(first.attribute === 'target' && attribute === 'method')
  const second = standing.find((one) => isOther(one) && !one.isAlias && one.inside > one.outside)
  const isSilent =
    groups.some(({ name }) => name === 'target') && !standing.some(({ attribute }) => attribute === 'target')
  return [
    `${wholePercent(first.inside)} of the requests in the box ${shareWords(first)}`,
    ...(second === undefined ? [] : [`${wholePercent(second.inside)} ${shareWords(second)}`]),
    ...(isSilent ? ['no target stands out'] : []),
  ].join('; ')
}

/** `are on new connections, 3.5 % of the rest`. */
const shareWords = (one: BoxValue): string => `${boxValueWords(one)}, ${wholePercent(one.outside)} of the rest`

/** `are GET /search`, `have status 503`, `have no x-cache`. */
function boxValueWords({ attribute, value }: BoxValue): string {
  if (value === absentValue) return `have no ${attribute.replace(/^header:/, '')}`
  const isKind = ['target', 'cold'].includes(attribute) || (attribute === 'status' && value === '0')
  const verb = attribute === 'connection' ? 'are on' : isKind ? 'are' : 'have'
  return `${verb} ${valueName({ attribute, value })}`
}

const slowerWords = (one: Candidate): string =>
  `${wholePercent(one.explained)} of the difference in latency stands with ${valueName(one)} (${wholePercent(one.traffic ?? 0)} of the traffic); the mix is that of the rest`

function notesOf({ dropped }: Cube, isOpen: boolean, looked: number): readonly string[] {
  return [
    `${plural(looked, 'value')} compared: what stands out does so beyond chance (p < ${leastP} after a correction for all of them)`,
    ...(isOpen ? [] : ['The box was drawn by latency and time: neither is ranked']),
    ...(dropped.length === 0 ? [] : [`Too many values to compare: ${dropped.join(', ').replaceAll('header:', '')}`]),
  ]
}
