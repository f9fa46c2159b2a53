import type { StoredRun } from '@/lib/history/stored-runs'
import { RawOutput } from '../run/provenance/raw-output'

interface Props {
  readonly runs: readonly StoredRun[]
  readonly names: readonly string[]
  /** The lines of each run; none if they are not shared. */
  readonly lines: readonly (readonly { readonly number: number; readonly text: string }[])[]
}

/** The tools' output, run by run, if the share includes it. */
export function SharedRaw({ runs, names, lines }: Props) {
  return runs.map((run, at) => {
    const own = lines[at] ?? []
    if (own.length === 0) return null
    return (
      <RawOutput key={run.id} fileName={names[at] ?? run.scenario} block={run.imported.context.lines} lines={own} />
    )
  })
}
