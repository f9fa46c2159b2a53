import { useMemo, useState } from 'react'
import type { PreparedComparison } from '@/components/compare/prepare-comparison'
import type { PreparedMatrix } from '@/components/matrix/prepare-matrix'
import type { LocalFile } from '@/lib/files/local-runs'
import { sameFileWords } from '@/lib/files/sides'
import type { StoredRun } from '@/lib/history/stored-runs'
import { arrange, bySeries, prepareSides, type Arranged } from './arrange'
import type { ReadLink } from './link'
import { useSearchParams } from './replaced/next-navigation'
import type { ViewedFile } from './read-files'
import { apart, hasTwice } from './same-names'
import { cellOf, matrixOf, viewOf, viewsOf, type View } from './views'

/** What the page shows of its runs, and what a reader can change about it. */
export interface Shown {
  readonly views: readonly View[]
  readonly view: View
  /** What is left out, in sentences. */
  readonly notes: readonly string[]
  /** The runs in groups, for a link. */
  readonly sides: readonly (readonly StoredRun[])[]
  readonly of:
    | { readonly kind: 'sides'; readonly prepared: PreparedComparison }
    | { readonly kind: 'matrix'; readonly prepared: PreparedMatrix }
  /** The runs of one cell of the matrix are shown. */
  readonly isCell: boolean
  /** Names of the comparisons to choose from, and the chosen one. */
  readonly titles: readonly string[]
  readonly chosen: number
  readonly choose: (at: number) => void
  readonly rename: (side: readonly StoredRun[], name: string) => void
  readonly swap: () => void
}

/** Null: there is no run. */
export function useShown(files: readonly ViewedFile[], link: ReadLink): Shown | null {
  const given = useArranged(files, link)
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const [isSwapped, setIsSwapped] = useState(false)
  const [chosen, choose] = useState(0)
  const query = useSearchParams()
  const arranged = renamed(given, names)
  if (arranged.runs.length === 0) return null
  const cell = cellOf(arranged.runs, query)
  const view = viewOf(arranged, query)
  const { sides: paired = [] } = arranged.pairings[chosen] ?? arranged.pairings[0] ?? {}
  const compared = cell ?? (isSwapped ? [...paired].reverse() : paired)
  const common = {
    ...{ view, views: viewsOf(arranged.runs), chosen, choose },
    isCell: cell !== null,
    titles: cell === null ? arranged.pairings.map(({ title }) => title) : [],
    swap: () => setIsSwapped(!isSwapped),
    rename: (side: readonly StoredRun[], name: string) =>
      setNames({ ...names, ...Object.fromEntries(side.map(({ id }) => [id, name])) }),
  }
  if (view !== 'compare') {
    const prepared = matrixOf(arranged, query.toString())
    return { ...common, of: { kind: 'matrix', prepared }, sides: bySeries(arranged.runs), notes: arranged.notes }
  }
  const prepared = prepareSides(compared, query)
  const notes = cell === null ? [...arranged.notes, ...arranged.comparisonNotes] : []
  return prepared === null ? null : { ...common, of: { kind: 'sides', prepared }, sides: compared, notes }
}

/** What the page is called. */
export function titleOf({ of }: Shown): string {
  if (of.kind === 'matrix') return of.prepared.verdict
  const { sides, names, comparison } = of.prepared
  return sides.length === 1 ? (names[0] ?? '') : comparison.sentence
}

/** Files win over a link: whoever drops some wants to see them. */
function useArranged(files: readonly ViewedFile[], link: ReadLink): Arranged {
  return useMemo(() => {
    const read = files.flatMap(({ name, bytes, state }): Read[] => {
      if (state.kind !== 'read') return []
      const writtenAt = new Date(bytes?.lastModified ?? 0)
      return [
        {
          input: { name, path: name },
          writtenAt,
          file: state.file,
          count: state.runCount,
          sizeBytes: bytes?.size ?? 0,
        },
      ]
    })
    if (read.length === 0 && link?.kind === 'sides') return ofLink(link.sides)
    const runCount = read.reduce((sum, { count }) => sum + count, 0)
    const arranged = arrange(apart(read), runCount, Date.now())
    return hasTwice(read) ? { ...arranged, comparisonNotes: [sameFileWords, ...arranged.comparisonNotes] } : arranged
  }, [files, link])
}

type Read = LocalFile & { readonly count: number; readonly sizeBytes: number }

const ofLink = (sides: readonly (readonly StoredRun[])[]): Arranged => ({
  ...{ runs: sides.flat(), isOneDocument: false, notes: [], comparisonNotes: [], cellNotes: [] },
  pairings: [{ title: '', sides }],
})

/** Edited names are variants, as in the preview of an upload. */
function renamed(arranged: Arranged, names: Readonly<Record<string, string>>): Arranged {
  const rename = (run: StoredRun): StoredRun => {
    const variant = names[run.id]?.trim() ?? ''
    const seriesId = JSON.stringify([run.scenario, variant, run.environment])
    return variant === '' ? run : { ...run, variant, seriesId }
  }
  const pairings = arranged.pairings.map(({ title, sides }) => ({
    title,
    sides: sides.map((side) => side.map(rename)),
  }))
  return { ...arranged, runs: arranged.runs.map(rename), pairings }
}
