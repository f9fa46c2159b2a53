import type { ChosenRuns } from '@/components/matrix/matrix-bar'
import { maxMatrixRuns, readMatrixQuery, searchOf, type MatrixQuery } from '@/components/matrix/matrix-url'
import { prepareMatrix, type PreparedMatrix } from '@/components/matrix/prepare-matrix'
import { formatDay, plural } from '@/lib/format'
import { newestOfSeries, noiseOfSeries, seriesOfSides } from '@/lib/judge/history-noise'
import { newestGroup, runGroups, type RunGroup } from '@/lib/matrix/run-groups'
import type { RunFacets } from '@/lib/history/run-list'
import type { RunRow } from '@/lib/history/stored-runs'
import type { StoredCellNote } from '@/lib/project/stored-cell-notes'
import { listBaselines } from '@/prisma/queries/runs/baselines'
import { listCellNotes } from '@/prisma/queries/projects/cell-notes'
import type { Granted } from '@/prisma/queries/projects/projects'
import { listFacets, listFailures, listRuns } from '@/prisma/queries/runs/runs'
import { listSeriesNoise } from '@/prisma/queries/series/trends'
import { getUpload } from '@/prisma/queries/uploads/uploads'

export interface LoadedMatrix {
  readonly projectSlug: string
  /** Filters for the runs. */
  readonly facets: RunFacets
  readonly prepared: PreparedMatrix
  /** Which runs these are and when they were run. */
  readonly chosen: ChosenRuns
  readonly cellNotes: readonly StoredCellNote[]
  readonly uploadName: string | null
}

type SearchParams = Readonly<Record<string, string | string[] | undefined>>

const newestFirst = { sort: 'time', direction: 'desc', limit: maxMatrixRuns } as const

/**
 * The runs that a matrix's address narrows to, and the notes on its cells. An address that narrows nothing gives the
 * newest commit or document: months are not mixed unasked. Throws NotFoundError.
 */
export async function loadMatrix(project: Granted<'read'>, params: SearchParams): Promise<LoadedMatrix> {
  const asked = readMatrixQuery(params)
  const [all, facets, cellNotes, baselines] = await Promise.all([
    listRuns(project, asked.filter, newestFirst),
    listFacets(project),
    listCellNotes(project),
    listBaselines(project),
  ])
  const groups = runGroups(all.rows)
  const isUnnarrowed = asked.filterParts.length === 0
  const group = isUnnarrowed && !asked.isOfAll ? newestGroup(groups) : null
  const query =
    group === null ? asked : { ...readMatrixQuery({ ...params, ...paramsOf(group) }), metricIds: asked.metricIds }
  const isTruncated = all.nextCursor !== null
  const page = group !== null && isTruncated ? await listRuns(project, query.filter, newestFirst) : all
  const rows = group !== null && !isTruncated ? group.runs : page.rows
  const { uploadId } = query.filter
  const [noises, upload, failures] = await Promise.all([
    listSeriesNoise(project, seriesOfSides(newestOfSeries(rows))),
    uploadId === undefined ? null : getUpload(project, uploadId),
    listFailures(project, rows),
  ])
  const uploadName = upload?.name ?? null
  const prepared = prepareMatrix(rows, query, cellNotes, { baselines, noiseOf: noiseOfSeries(noises), failures })
  const chosen = {
    words: chosenWords(query, rows, uploadName),
    choices: choicesOf(query, isUnnarrowed ? groups : [], uploadName),
  }
  return { projectSlug: project.slug, facets, prepared, chosen, cellNotes, uploadName }
}

const paramsOf = ({ kind, value }: RunGroup): Readonly<Record<string, string>> =>
  kind === 'upload' ? { upload: value } : { label: `commit=${value}` }

/** `a.md, 19 Feb 2020, 4 runs`: which runs, when they were run, and how many. */
function chosenWords(query: MatrixQuery, rows: readonly RunRow[], uploadName: string | null): string {
  const commit = query.filter.labels?.['commit']
  const of =
    uploadName ?? commit?.slice(0, 10) ?? (query.filter.runIds === undefined ? 'newest of each cell' : 'chosen')
  return [of, periodWords(rows), plural(rows.length, 'run')].filter((part) => part !== '').join(', ')
}

/** `19 Feb 2020`, or the first and the last day. */
function periodWords(rows: readonly RunRow[]): string {
  const times = rows.map(({ orderedAt }) => orderedAt).sort()
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return ''
  return formatDay(first) === formatDay(last) ? formatDay(last) : `${formatDay(first)} – ${formatDay(last)}`
}

const maxChoices = 12

/** The newest commits or documents, and all of them together. */
function choicesOf(query: MatrixQuery, groups: readonly RunGroup[], uploadName: string | null): ChosenRuns['choices'] {
  const laidOut = (filterParts: MatrixQuery['filterParts'], changes: Readonly<Record<string, string | null>>) =>
    searchOf({ ...query, filterParts }, { of: null, base: null, ...changes })
  const own = groups.slice(0, maxChoices).map((group) => {
    const [[name = '', value = ''] = []] = Object.entries(paramsOf(group))
    const isChosen = query.filterParts.some((part) => part[0] === name && part[1] === value)
    const title = group.kind === 'commit' ? group.value.slice(0, 10) : isChosen ? uploadName : null
    const words = [title, periodWords(group.runs), plural(group.runs.length, 'run')].filter((part) => part !== null)
    return { words: words.join(', '), search: laidOut([[name, value]], {}), isChosen }
  })
  const all = {
    words: 'Newest of each cell',
    search: laidOut([], { of: 'all' }),
    isChosen: query.filterParts.length === 0,
  }
  return [...own, all]
}
