import type { RunRow } from '../history/stored-runs'

/** Runs of one commit, or of one document. */
export interface RunGroup {
  readonly kind: 'commit' | 'upload'
  /** The commit, or the id of the upload. */
  readonly value: string
  readonly runs: readonly RunRow[]
}

/** Runs by commit, else by document, the newest first. `runs`: newest first. */
export function runGroups(runs: readonly RunRow[]): readonly RunGroup[] {
  const groups = new Map<string, RunRow[]>()
  const kinds = new Map<string, Pick<RunGroup, 'kind' | 'value'>>()
  for (const run of runs) {
    const commit = Object.hasOwn(run.labels, 'commit') ? (run.labels['commit'] ?? '') : ''
    const named =
      commit === '' ? ({ kind: 'upload', value: run.uploadId } as const) : ({ kind: 'commit', value: commit } as const)
    const key = `${named.kind} ${named.value}`
    kinds.set(key, named)
    groups.set(key, [...(groups.get(key) ?? []), run])
  }
  return [...groups].flatMap(([key, own]) => {
    const named = kinds.get(key)
    return named === undefined ? [] : [{ ...named, runs: own }]
  })
}

/**
 * The newest commit or document, if it has two cells to compare; null: it does not, and each cell shows its newest run.
 */
export function newestGroup(groups: readonly RunGroup[]): RunGroup | null {
  const [newest] = groups
  return newest !== undefined && new Set(newest.runs.map(({ seriesId }) => seriesId)).size > 1 ? newest : null
}
