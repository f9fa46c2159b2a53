import * as z from 'zod'
import { schemaOf } from '../schema-of'
import { eachFigure, type RunFigures } from './metrics'

/** The figures of a run as JSON, each with the words of its metric. */
export const runFiguresSchema = schemaOf<RunFigures>()(
  z.object(eachFigure(({ explain }) => z.number().nullable().describe(explain))).meta({
    id: 'Figures',
    description:
      'Latencies are of the leading distribution. Null: the tool did not print it, and samples cannot give it.',
  }),
)
