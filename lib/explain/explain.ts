import { absentValue, restValue, type Cube } from '../cube/cube'
import { aliasesOf, type Alias } from './aliases'
import { candidate, type Candidate } from './candidate'
import { Distribution } from './distribution'
import { groupsOf, sharedValues, wholeGroup, type Group } from './groups'
import { Layers } from './layers'
import { loadChange } from './load-change'
import { lumpOf, tailLimit } from './lump'
import { errorCandidate, errorChange, isErrorChange, movedShares } from './moved-shares'
import { partsOf, type PartsAbove } from './parts'
import { scatterOf } from './scatter'
import { serverPart } from './server-part'
import { zOf } from './shares-above'
import { shiftOfAll, type ShiftOfAll } from './shift-of-all'
import { slowerValues } from './slower-values'
import { windowOf, type TimeWindow } from './time-window'

/** Limits of z for a difference: of all requests, of all targets at their own quantiles, of one value. */
const leastZ = { all: 4, pooled: 3.4, value: 4.8 } as const
/** Attributes that tell how a request ended: their latencies differ whenever the share of errors does. */
const outcomes: readonly string[] = ['bytes', 'status', 'error']
/** A shift or lump explains the difference if it leaves less than this, within so many standard deviations. */
const leastFit = 0.75
const mostLeftZ = { shift: 4, lump: 4.5 } as const
const mostLump = 0.42
const leastBeyond = 0.7
/** With fewer rows a side the parts are all that is said. */
export const fewestRows = 200

/** What two runs' difference stands with. */
export interface Explanation {
  /** `nothing`: no difference is shown. `not-explained`: nothing that was recorded separates it. */
  readonly kind: Candidate['kind'] | 'nothing' | 'not-explained' | 'too-few'
  /** Best first; empty unless a cause is named. */
  readonly candidates: readonly Candidate[]
  /** Other names of the same requests as the first. */
  readonly aliases: readonly Alias[]
  readonly side: 'base' | 'head'
  /** Parts of the difference above each threshold. */
  readonly parts: readonly PartsAbove[]
  /** What the parts are of: the attribute that is named, else `target`, or `all`. */
  readonly layer: string
  /** φ: how many times the variance between slices, or runs of a side, is that of independent requests. */
  readonly scatter: number
  /** Largest differences in standard deviations. */
  readonly z: { readonly all: number; readonly pooled: number; readonly value: number }
  /** Values that were looked at, for the correction of p by Bonferroni. */
  readonly looked: number
  /** What could not be compared, in words of attributes: one run's alone. */
  readonly oneSided: readonly { readonly side: 'base' | 'head'; readonly attribute: string }[]
  /** Both runs name targets, and none is the same. */
  readonly areTargetsDisjoint: boolean
}

/** The same of other rows: the parts of runs as they were before they were laid on one level, and their scatter. */
export function withPartsOf(explanation: Explanation, base: Cube, head: Cube, scatter: number): Explanation {
  const shown = groupsOf(base, head).find(({ name }) => name === explanation.layer) ?? wholeGroup(base, head)
  const [first] = explanation.candidates
  const move = first?.kind === 'shift' ? (first.shift ?? null) : null
  return { ...explanation, parts: partsOf(base, head, shown, move), scatter: Math.max(explanation.scatter, scatter) }
}

interface Evidence {
  readonly base: Cube
  readonly head: Cube
  readonly groups: readonly Group[]
  readonly layers: Layers
  readonly scatter: number
  readonly z: Explanation['z']
  readonly windows: readonly TimeWindow[]
}

/**
 * What the difference of two runs of one tool stands with. Both cubes have rows. `leastScatter`: how many times the
 * variance between runs of a side is that of independent requests.
 */
export function explain(base: Cube, head: Cube, leastScatter = 1): Explanation {
  const groups = groupsOf(base, head)
  const layer = groups.find(({ name }) => name === 'target') ?? wholeGroup(base, head)
  const scatter = Math.max(scatterOf(base), scatterOf(head), leastScatter)
  const layers = new Layers(sharedValues(layer, 30), scatter)
  const [b, h] = [new Distribution(base.all, base.resolutionMs), new Distribution(head.all, head.resolutionMs)]
  const compared = groups.filter(({ name }) => !outcomes.includes(name)).flatMap((group) => sharedValues(group, 60))
  const z = {
    all: zOf(b, h, scatter),
    pooled: layers.z(),
    value: Math.max(0, ...compared.map((value) => zOf(value.base, value.head, scatter))),
  }
  const windows = [windowOf(head, base, scatter, 'head'), windowOf(base, head, scatter, 'base')].filter(
    (one): one is TimeWindow => one !== null,
  )
  const evidence: Evidence = { base, head, groups, layers, scatter, z, windows }
  const errors = errorChange(groups, base, head)
  const load = loadChange(base, head)
  const differs =
    z.all > leastZ.all ||
    z.pooled > leastZ.pooled ||
    z.value > leastZ.value ||
    isErrorChange(errors) ||
    windows.length > 0
  const hasFew = Math.min(base.rows, head.rows) < fewestRows
  const shift = shiftOfAll(layers, b.quantileMs(0.5))
  const candidates = differs && !hasFew ? ranked(evidence, shift) : []
  const [first] = candidates
  const kind = hasFew ? 'too-few' : differs ? (first?.kind ?? 'not-explained') : 'nothing'
  const isAlike = first?.kind === 'shift'
  // What is named is also what the parts are of.
  const shown = groups.find(({ name }) => name === first?.attribute) ?? layer
  return {
    ...{ kind, candidates, z, scatter, layer: shown.name },
    aliases: first === undefined ? [] : aliasesOf(groups, first),
    side: first?.side ?? (layers.lift() >= 0 ? 'head' : 'base'),
    parts: partsOf(base, head, shown, isAlike ? shift : null),
    looked: groups.reduce((sum, { values }) => sum + values.length, 0),
    ...missing(base, head),
  }

  function ranked(of: Evidence, alike: ShiftOfAll): readonly Candidate[] {
    const found = [
      ...(load === null ? [] : [candidate({ kind: 'load-differs', score: 3, explained: 1, attribute: 'load', load })]),
      ...errorCandidate(errors),
      ...slowerValues(groups, scatter),
      ...movedShares(groups, base, head, { errors, scatter }),
      ...windowCandidates(of),
      ...shapeCandidates(layers, alike),
    ].sort((one, other) => other.score - one.score)
    // One value may hold most of a change that all share: an addition is most of what a fast target takes.
    const shared = found.find((one) => one.kind === 'shift')
    const [top] = found
    const isValue = top?.kind === 'target' || top?.kind === 'value'
    if (isValue && shared !== undefined && othersMoved(of, top)) {
      found.splice(found.indexOf(shared), 1)
      found.unshift(shared)
    }
    const server = serverPart(base, head)
    // What servers say of themselves refines what all requests share.
    const isRefined = found[0] === undefined || ['shift', 'tail', 'mode', 'value'].includes(found[0].kind)
    if (server === null || !isRefined) return found
    const named = { attribute: server.name, explained: server.share }
    return [candidate({ kind: 'server-part', score: 2, ...named }), ...found]
  }
}

/** Whether the values beside the named one moved, too. */
function othersMoved({ groups, scatter }: Evidence, { attribute, value }: Candidate): boolean {
  const own = groups.find(({ name }) => name === attribute)
  const others = own === undefined ? [] : sharedValues(own, 30).filter((one) => one.value !== value)
  return new Layers(others, scatter).z() > leastZ.pooled
}

/** A stretch of time that stands out as much as the whole does. */
function windowCandidates({ windows, z }: Evidence): readonly Candidate[] {
  const others = Math.max(z.all, z.pooled)
  return windows.flatMap((window) => {
    const leastShare = window.z < 1.5 * others ? 0.5 : 0.4
    if (window.z <= 0.6 * others || window.share <= leastShare) return []
    const isAlone = window.z > 1.5 * Math.max(others, z.value)
    const score = 1.2 + 0.4 * Math.min(window.share, 1) + (isAlone ? 0.3 : 0)
    const kind = window.from <= 1 ? 'warm-up' : 'time-window'
    const of = { attribute: 'time', side: window.side, window, z: window.z }
    return [candidate({ kind, score, explained: window.share, ...of })]
  })
}

/** What all targets share: a factor or an addition, or some requests of each far above. */
function shapeCandidates(layers: Layers, shift: ShiftOfAll): readonly Candidate[] {
  const fit = 1 - Math.max(shift.left, 0) / Math.max(layers.distance(), 1e-9)
  const lump = lumpOf(layers)
  const isShift = fit > leastFit && shift.z < mostLeftZ.shift
  const isLump = lump.fit > leastFit && lump.z < mostLeftZ.lump && lump.share < mostLump && lump.beyond > leastBeyond
  const lumpKind = lump.share < tailLimit ? 'tail' : 'mode'
  return [
    ...(isShift ? [candidate({ kind: 'shift', score: 0.8 + 0.3 * fit, explained: fit, shift })] : []),
    ...(isLump
      ? [candidate({ kind: lumpKind, score: 0.8 + 0.3 * lump.fit, explained: lump.fit, side: lump.side, lump })]
      : []),
  ]
}

/** What one run records and the other does not, and whether no target is the same. */
function missing(base: Cube, head: Cube): Pick<Explanation, 'oneSided' | 'areTargetsDisjoint'> {
  const names = ({ attributes }: Cube) => attributes.map(({ name }) => name)
  const only = (own: Cube, other: Cube) => names(own).filter((name) => !names(other).includes(name))
  const targets = ({ attributes }: Cube) =>
    attributes.find(({ name }) => name === 'target')?.values.map(({ value }) => value) ?? []
  const isNamed = (value: string) => value !== restValue && value !== absentValue
  const [own, other] = [targets(base).filter(isNamed), targets(head).filter(isNamed)]
  return {
    oneSided: [
      ...only(base, head).map((attribute) => ({ side: 'base' as const, attribute })),
      ...only(head, base).map((attribute) => ({ side: 'head' as const, attribute })),
    ],
    areTargetsDisjoint: own.length > 0 && other.length > 0 && !own.some((value) => other.includes(value)),
  }
}
