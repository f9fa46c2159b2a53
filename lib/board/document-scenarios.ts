import { groupBy } from '../group-by'
import type { RunRow } from '../history/stored-runs'
import type { DocumentScenario, DocumentSide } from './documents'
import { splitNames } from './variant-pairs'

/** A run as a side of its scenario. */
export interface PlacedSide<Run> extends DocumentSide {
  readonly run: Run
}

/** A scenario whose sides have their runs. */
export interface PlacedScenario<Run> extends DocumentScenario {
  readonly sides: readonly PlacedSide<Run>[]
}

type Row = Pick<
  RunRow,
  | 'id'
  | 'scenario'
  | 'variant'
  | 'environment'
  | 'labels'
  | 'tool'
  | 'figures'
  | 'guards'
  | 'uploadId'
  | 'uploadedAt'
  | 'indexInUpload'
>

/**
 * Scenarios of single runs, the newest document first, each in the order of its runs; variant names made of two parts
 * are split. `failuresOf`: how the requests of a run failed, most frequent first.
 */
export function documentScenarios<Run extends Row>(
  runs: readonly Run[],
  failuresOf: (runId: string) => readonly string[],
): readonly PlacedScenario<Run>[] {
  const inOrder = [...runs].sort((a, b) =>
    a.uploadId === b.uploadId ? a.indexInUpload - b.indexInUpload : a.uploadedAt < b.uploadedAt ? 1 : -1,
  )
  return [...groupBy(inOrder, ({ scenario }) => scenario)].flatMap(([scenario, own]) => {
    const hasVariants = new Set(own.map(({ variant }) => variant)).size > 1
    const hasEnvironments = new Set(own.map(({ environment }) => environment)).size > 1
    const nameOf = ({ variant, environment }: Run) =>
      [hasVariants || !hasEnvironments ? variant : null, hasEnvironments ? environment : null]
        .filter((part) => part !== null)
        .join(', ') || 'no variant'
    const split = splitNames(own.map((run) => ({ name: nameOf(run), value: run.figures.meanMs })))
    const placed = own.map((run) => {
      const { side, rest } = split?.get(nameOf(run)) ?? { side: nameOf(run), rest: '' }
      return { side: sideOf(run, side, failuresOf(run.id)), scenario: rest === '' ? scenario : `${scenario} › ${rest}` }
    })
    const groups = groupBy(placed, (one) => one.scenario)
    return [...groups].map(([name, sides]) => ({ scenario: name, sides: sides.map(({ side }) => side) }))
  })
}

function sideOf<Run extends Row>(run: Run, name: string, failures: readonly string[]): PlacedSide<Run> {
  const instances = Number(run.labels['instances'])
  const { tool, figures, guards } = run
  return {
    name,
    tool,
    figures,
    guards,
    run,
    failures,
    instances: Number.isInteger(instances) && instances > 0 ? instances : null,
  }
}
