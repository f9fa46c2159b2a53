import { cubeVersion, type Cube, type CubeAttribute, type CubeNumber } from './cube'
import { joinValues, sumCounts } from './join-values'

/**
 * The rows of several runs of one tool as those of one: slice i of each is slice i of all. What only some of them record
 * is left out, by name. `some` is not empty.
 */
export function addCubes(some: readonly [Cube, ...Cube[]]): Cube {
  const [first, ...others] = some
  if (others.length === 0) return first
  const sum = (of: (cube: Cube) => number) => some.reduce((total, cube) => total + of(cube), 0)
  const most = (of: (cube: Cube) => number | null) => mostOf(some.map(of))
  const shared = first.attributes.map(({ name }) => name).filter((name) => some.every((one) => has(one, name)))
  const named = some.flatMap(({ attributes }) => attributes.map(({ name }) => name))
  return {
    version: cubeVersion,
    tool: first.tool,
    rows: sum(({ rows }) => rows),
    resolutionMs: most(({ resolutionMs }) => resolutionMs) ?? 0,
    spanMs: sum(({ spanMs }) => spanMs),
    sumMs: sum(({ sumMs }) => sumMs),
    users: most(({ users }) => users),
    peakInFlight: most(({ peakInFlight }) => peakInFlight),
    isOpenLoop: some.every(({ isOpenLoop }) => isOpenLoop),
    all: sumCounts(some.map(({ all }) => all)),
    slices: first.slices.map((_, at) => sumCounts(some.flatMap(({ slices }) => slices[at] ?? []))),
    attributes: shared.map((name) => addAttributes(name, some)),
    numbers: first.numbers.flatMap(({ name }) => addNumbers(name, some) ?? []),
    dropped: [
      ...new Set([...some.flatMap(({ dropped }) => dropped), ...named.filter((name) => !shared.includes(name))]),
    ],
  }
}

/** The rows of two generators that ran at the same time: their users and requests in flight add up. */
export const addGenerators = (one: Cube, other: Cube): Cube => ({
  ...addCubes([one, other]),
  spanMs: Math.max(one.spanMs, other.spanMs),
  users: addKnown(one.users, other.users),
  // They need not have peaked at once.
  peakInFlight: addKnown(one.peakInFlight, other.peakInFlight),
})

const addKnown = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b)

const has = ({ attributes }: Cube, name: string): boolean => attributes.some((one) => one.name === name)

function addAttributes(name: string, some: readonly Cube[]): CubeAttribute {
  const own = some.flatMap(({ attributes }) => attributes.filter((one) => one.name === name))
  const { values, restValues } = joinValues(own.flatMap((one) => one.values))
  return { name, values, restValues: Math.max(restValues, ...own.map((one) => one.restValues)) }
}

/** Null: not all of them have it. */
function addNumbers(name: string, some: readonly Cube[]): CubeNumber | null {
  const own = some.flatMap(({ numbers }) => numbers.filter((one) => one.name === name))
  if (own.length < some.length) return null
  const counts = (of: (one: CubeNumber) => Uint32Array) => sumCounts(own.map(of))
  return {
    name,
    rows: own.reduce((total, { rows }) => total + rows, 0),
    counts: counts((one) => one.counts),
    restCounts: counts((one) => one.restCounts),
    clientCounts: counts((one) => one.clientCounts),
    negative: own.reduce((total, { negative }) => total + negative, 0),
  }
}

/** Null if one of them does not know it. */
function mostOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((one): one is number => one !== null)
  return known.length < values.length ? null : Math.max(...known)
}
