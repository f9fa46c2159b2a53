import { groupBy } from '../group-by'
import { nameFields, type NameField } from './matrix-field'
import { withoutQuantities } from './quantity'
import { profileName } from '../history/series'
import type { RunRow } from '../history/stored-runs'
import { axesOf, type SweepAxis, type SweepField, type SweptRun } from './sweep-axis'

/** The fields of a run that a sweep reads. */
export type SweepRun = SweptRun & Pick<RunRow, 'id' | 'figures' | 'load'>

/** The runs at one value, in the order given; never empty. */
export interface SweepPoint<Run extends SweptRun = SweepRun> {
  readonly x: number
  readonly runs: readonly Run[]
}

/** Runs with no known difference except the swept number: one line of the chart. */
export interface SweepSeries<Run extends SweptRun = SweepRun> {
  readonly key: string
  /** What distinguishes it from the other series. */
  readonly name: string
  /** Each value once, ascending. */
  readonly points: readonly SweepPoint<Run>[]
}

export interface Sweep<Run extends SweptRun = SweepRun> {
  readonly axis: SweepAxis
  /** In order of first appearance. */
  readonly series: readonly SweepSeries<Run>[]
  /** Runs without such a number. */
  readonly without: readonly Run[]
}

/**
 * Lays runs out over a number: series differ in scenario, variant, environment or tool, with the swept number removed
 * from names; also in load, where one value was run under several loads.
 */
export function buildSweep<Run extends SweptRun>(runs: readonly Run[], axis: SweepAxis): Sweep<Run> {
  const placed = runs.flatMap((run) => {
    const x = axis.valueOf(run)
    return x === null ? [] : [{ run, x, parts: partsOf(run, axis) }]
  })
  type Group = { readonly group: typeof placed; readonly load: string | null }
  const byParts = groupBy(placed, ({ parts }) => JSON.stringify(parts))
  const groups = [...byParts.values()].flatMap((group): Group[] => {
    const profile = ({ run }: (typeof group)[number]) => profileName(run.tool, run.load)
    const isMixed = [...groupBy(group, ({ x }) => x).values()].some((at) => new Set(at.map(profile)).size > 1)
    if (!isMixed || axis.field === 'rate' || axis.field === 'connections') return [{ group, load: null }]
    return [...groupBy(group, profile)].map(([load, own]) => ({ group: own, load }))
  })
  const distinctFields = [...nameFields, 'tool' as const].filter(
    (field) => new Set(groups.map(({ group }) => group[0]?.parts[field] ?? null)).size > 1,
  )
  const series = groups.flatMap(({ group, load }) => {
    const [first] = group
    if (first === undefined) return []
    const { parts } = first
    const telling = distinctFields.map((field) => parts[field] ?? `no ${field}`)
    const names = [...telling, ...(load === null ? [] : [load])]
    return [
      {
        key: JSON.stringify([parts, load]),
        name: names.length > 0 ? names.join(' · ') : (parts.variant ?? parts.scenario),
        points: [...groupBy(group, ({ x }) => x)]
          .map(([x, at]) => ({ x, runs: at.map(({ run }) => run) }))
          .sort((a, b) => a.x - b.x),
      },
    ]
  })
  return { axis, series, without: runs.filter((run) => axis.valueOf(run) === null) }
}

/** The axes that give a line: some series has at least two values. Most values first, and labels before names. */
export function sweepAxes(runs: readonly SweptRun[]): readonly SweepAxis[] {
  return axesOf(runs)
    .map((axis) => ({ axis, length: longest(buildSweep(runs, axis)) }))
    .filter(({ length }) => length > 1)
    .sort((a, b) => b.length - a.length)
    .map(({ axis }) => axis)
}

/** The axis of a field; else the most distinctive one; null: nothing was varied. */
export function chooseAxis(axes: readonly SweepAxis[], field: SweepField | null): SweepAxis | null {
  return axes.find((axis) => axis.field === field) ?? axes[0] ?? null
}

const longest = (sweep: Sweep<SweptRun>): number => Math.max(0, ...sweep.series.map(({ points }) => points.length))

type Parts = Readonly<Record<NameField, string | null>> & { readonly scenario: string; readonly tool: string }

function partsOf(run: SweptRun, axis: SweepAxis): Parts {
  const quantity = axis.quantityOf(run)
  // The axis states what was varied, so its gap in the name is closed.
  const without = (name: string) =>
    quantity === null
      ? name
      : withoutQuantities(name, [quantity])
          .replaceAll(/\u2026\s?|\s?\u2026$/g, '')
          .trim() || '…'
  const { scenario, variant, environment, tool } = run
  return {
    scenario: without(scenario),
    variant: variant === null ? null : without(variant),
    environment: environment === null ? null : without(environment),
    tool,
  }
}
