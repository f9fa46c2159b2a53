import { z } from 'zod'
import {
  eachFigure,
  figureKeys,
  sortedMetrics,
  type FigureKey,
  type FigureSortKey,
  type RunFigures,
} from '../../lib/run/metrics'
import { Prisma } from '../generated/client'

// A figure without a field in the schema does not compile.
const names = figureKeys satisfies readonly Prisma.RunScalarFieldEnum[]

/** The columns that hold a run's figures, for Prisma's `select`. */
export const figureColumns = eachFigure(() => true as const)

/** The column of one of our fields. */
export const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The same columns for raw SQL, under the names of the figures. Never contains input. */
export const figureColumnsSql = Prisma.raw(names.map((name) => `${columnOf(name)} AS "${name}"`).join(', '))

const figure = z.number().nullable()

/** The shape of the figures in a row read by raw SQL. */
export const figuresSchema = eachFigure(() => figure)

const figuresOnly = z.object(figuresSchema)

/**
 * A row's figures without its other columns. Field by field as in the schema: a loop over names takes ten times as
 * long.
 */
export const toFigures = (row: RunFigures): RunFigures => figuresOnly.parse(row)

/** Lists are sorted by a time, or by a figure. */
type ColumnSortKey = 'time' | FigureSortKey

const fieldOfSort = new Map<ColumnSortKey, FigureKey>(sortedMetrics.map(({ sortKey, key }) => [sortKey, key]))

/** The field of a run for a sort key. */
export function sortField(sort: ColumnSortKey): FigureKey | 'orderedAt' {
  return fieldOfSort.get(sort) ?? 'orderedAt'
}

/** The same as SQL for the run `r`. Never contains input. */
export const sortColumn = (sort: ColumnSortKey): Prisma.Sql => Prisma.raw(`r.${columnOf(sortField(sort))}`)
