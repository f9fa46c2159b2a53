import * as z from 'zod'
import type { CellFigure, MatrixCell, MatrixRow } from '../matrix/matrix'
import type { MatrixField } from '../matrix/matrix-field'
import { utcIsoSchema } from '../run/timestamp'
import { schemaOf, type Described } from '../schema-of'
import { deltaSchema, exportedRun, unitSchema } from './comparison-data'

const field = schemaOf<MatrixField>()(
  z.union([z.enum(['scenario', 'variant', 'environment', 'tool']), z.templateLiteral(['label:', z.string()])]),
)

const figure = schemaOf<Omit<CellFigure, 'metric'>>()(
  z.object({
    value: z
      .number()
      .nullable()
      .describe(
        'Base × (1 + `changeRatio`) where repeats were judged, else the median over the runs; of a share of requests, that of all runs together.',
      ),
    count: z.number().describe('Runs that have the metric.'),
    delta: deltaSchema.nullable().describe("Beside the base column's cell. Null: it is that cell, or there is none."),
    word: z.string().nullable().describe('The verdict.'),
    leads: z.boolean().describe('It is ahead of every other cell of the row, even if only within noise.'),
    best: z.boolean().describe('It beats every other cell of the row by more than noise.'),
  }),
).extend({ metric: z.string(), unit: unitSchema })

const cell = schemaOf<Omit<MatrixCell, 'figures'>>()(
  z.object({
    column: z.string(),
    baseColumn: z.string().describe('The column that it is compared with.'),
    runIds: z.array(z.string()).describe('The newest experiment: a run, or repeats of it.'),
    at: utcIsoSchema.nullable().describe('When the newest of them was run. Null: the cell is empty.'),
    older: z.object({ count: z.number(), since: utcIsoSchema }).nullable(),
    errorRatio: z.number().nullable(),
    isMixed: z.boolean().describe('Its runs were made under different loads.'),
    note: z.string().nullable().describe('Why it is empty.'),
  }),
)

const row = schemaOf<Omit<MatrixRow, 'cells'>>()(
  z.object({
    name: z.string(),
    others: z.array(
      z.object({
        field: z.enum(['scenario', 'variant', 'environment', 'tool']),
        value: z.string().nullable(),
      }),
    ),
  }),
)

/** A matrix as `data.json`. */
export const matrixDataSchema = z
  .object({
    sentence: z.string(),
    verdict: z.string(),
    rowsBy: field,
    columnsBy: field,
    columns: z.array(z.string()),
    baseColumns: z.array(z.string()),
    rows: z.array(row.extend({ cells: z.array(cell.extend({ figures: z.array(figure) })) })),
    runs: z.array(z.object(exportedRun)),
  })
  .meta({ id: 'Matrix', description: 'Runs laid out by two of their fields, each cell compared with the base column.' })
export type MatrixData = Described<typeof matrixDataSchema>
