import type { Cube, CubeAttribute, CubeValue } from '../cube/cube'
import { Distribution } from './distribution'

/** A value in both runs; a side that lacks it is null. */
export interface GroupValue {
  readonly value: string
  readonly base: Distribution | null
  readonly head: Distribution | null
  /** Shares of the traffic. */
  readonly baseShare: number
  readonly headShare: number
}

/** An attribute that both runs have, with more than one value between them. */
export interface Group {
  readonly name: string
  readonly values: readonly GroupValue[]
}

/** A value that both sides have. */
export interface SharedValue extends GroupValue {
  readonly base: Distribution
  readonly head: Distribution
}

/** The attributes that can be compared; one side's alone are not. */
export function groupsOf(base: Cube, head: Cube): readonly Group[] {
  return base.attributes.flatMap((own) => {
    const other = head.attributes.find(({ name }) => name === own.name)
    if (other === undefined) return []
    const values = valuesOf(own, other, base, head)
    return values.length > 1 ? [{ name: own.name, values }] : []
  })
}

function valuesOf(own: CubeAttribute, other: CubeAttribute, base: Cube, head: Cube): GroupValue[] {
  const names = new Set([...own.values, ...other.values].map(({ value }) => value))
  return [...names].map((value) => {
    const b = own.values.find((one) => one.value === value)
    const h = other.values.find((one) => one.value === value)
    return {
      value,
      base: distributionOf(b, base),
      head: distributionOf(h, head),
      ...{ baseShare: (b?.rows ?? 0) / base.rows, headShare: (h?.rows ?? 0) / head.rows },
    }
  })
}

const distributionOf = (value: CubeValue | undefined, { resolutionMs }: Cube): Distribution | null =>
  value === undefined || value.rows === 0 ? null : new Distribution(value.counts, resolutionMs)

/** All requests as the only value of a layer. */
export function wholeGroup(base: Cube, head: Cube): Group {
  const all = {
    base: new Distribution(base.all, base.resolutionMs),
    head: new Distribution(head.all, head.resolutionMs),
  }
  return { name: 'all', values: [{ value: 'all', ...all, baseShare: 1, headShare: 1 }] }
}

/** Values with so many rows on each side. */
export const sharedValues = ({ values }: Group, fewest: number): readonly SharedValue[] =>
  values.filter(
    (one): one is SharedValue =>
      one.base !== null && one.head !== null && Math.min(one.base.rows, one.head.rows) >= fewest,
  )

/** Share of the traffic, the mean of both sides. */
export const weightOf = ({ baseShare, headShare }: GroupValue): number => (baseShare + headShare) / 2

/** How many standard deviations a value's share of the traffic moved. */
export function shareZ({ baseShare, headShare }: GroupValue, base: Cube, head: Cube): number {
  const middle = (baseShare + headShare) / 2
  const variance = Math.max(middle * (1 - middle), 1e-9) * (1 / base.rows + 1 / head.rows)
  return (headShare - baseShare) / Math.sqrt(variance)
}

const leastMoved = 0.008
const leastMovedZ = 5

/** Whether its share of the traffic moved, and by so much that it matters. */
export const hasMoved = (value: GroupValue, base: Cube, head: Cube): boolean =>
  Math.abs(value.headShare - value.baseShare) > leastMoved && Math.abs(shareZ(value, base, head)) > leastMovedZ

const lambdaFailures: readonly string[] = ['error', 'failure', 'timeout']

/** No answer, a status of 4xx or 5xx, or an invocation of Lambda that failed. */
export const isErrorCode = (code: string): boolean =>
  code === '0' || code.startsWith('4') || code.startsWith('5') || lambdaFailures.includes(code)
