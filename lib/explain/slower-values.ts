import { restValue } from '../cube/cube'
import { candidate, preference, type Candidate } from './candidate'
import { sharedValues, weightOf, type Group } from './groups'
import { distance, noiseOf, zOf } from './shares-above'

const fewestRows = 30
/** A value holds the difference if its part is this share of the attribute's, and denser than the others' by this. */
const leastShare = 0.6
const leastDensity = 4
const leastZ = 5
/** With more of the traffic it is all requests. */
const mostTraffic = 0.9
/** Attributes that explain nearly as much as the one that explains most. */
const near = 0.12

interface Slower extends Candidate {
  readonly gain: number
}

/**
 * Values whose own latency moved, while the others of the attribute stayed. Among attributes that explain nearly the
 * most, the smallest set of requests that holds it all is first.
 */
export function slowerValues(groups: readonly Group[], scatter: number): readonly Candidate[] {
  const found = groups.flatMap((group) => slowerOf(group, scatter) ?? [])
  if (found.length === 0) return []
  const most = Math.max(...found.map(({ explained }) => explained))
  const isNear = ({ explained }: Slower) => explained > most - near
  const top = Math.max(...found.filter(isNear).map(({ gain }) => gain))
  return found.map((one): Candidate => {
    const score =
      1.3 + 0.2 * Math.min(one.gain / top, 1) - 0.01 * preference(one.attribute ?? '') - (isNear(one) ? 0 : 0.3)
    const { gain: _, ...rest } = one
    return { ...rest, score }
  })
}

function slowerOf(group: Group, scatter: number): Slower | null {
  if (group.name === 'status' || group.name === 'error') return null
  const values = sharedValues(group, fewestRows)
  if (values.length < 2) return null
  const parts = values.map((value) => weightOf(value) * distance(value.base, value.head, scatter))
  const at = parts.indexOf(Math.max(...parts))
  const value = values[at]
  const gain = parts[at] ?? 0
  if (value === undefined || value.value === restValue) return null
  const weight = weightOf(value)
  // The others' noise counts in full.
  const rest = values.reduce((sum, other, place) => {
    if (place === at) return sum
    return sum + Math.max(parts[place] ?? 0, 0) + 0.7 * weightOf(other) * noiseOf(other.base, other.head, scatter)
  }, 0)
  const explained = gain / Math.max(gain + rest, 1e-12)
  const density = gain / weight / Math.max(rest / Math.max(1 - weight, 1e-3), 1e-9)
  const z = zOf(value.base, value.head, scatter)
  if (explained <= leastShare || density <= leastDensity || z <= leastZ || weight >= mostTraffic) return null
  const kind = group.name === 'target' ? 'target' : group.name === 'cold' ? 'cold-starts' : 'value'
  return {
    ...candidate({ kind, score: 0, explained, attribute: group.name, value: value.value, traffic: weight, z }),
    gain,
  }
}
