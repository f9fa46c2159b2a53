import type { ImportedRun } from './run'

/** The parts of a run that do not depend on its place in a document. */
function measuredOf(run: ImportedRun): unknown {
  const { context: _context, proposal: _proposal, warnings: _warnings, command: _command, ...figures } = run
  return { ...figures, startedAt: null, url: null, method: null, measures: run.measures.map(withoutLine) }
}

const withoutLine = ({ name, value, unit }: ImportedRun['measures'][number]) => ({ name, value, unit })

/** Whether two readings of a run have the same tool, form and figures; their places, names and warnings may differ. */
export function haveSameFigures(one: ImportedRun, other: ImportedRun): boolean {
  return one.requests === other.requests && inOrder(measuredOf(one)) === inOrder(measuredOf(other))
}

/** JSON with sorted keys: a database may have changed their order. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
