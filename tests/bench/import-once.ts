/** One file, one process: reads it as its raw importer does and prints what it counted, as JSON. For import-speed.ts. */
import { heyCsv } from '../../importers/hey-csv'
import { readRaw } from '../../importers/raw'
import { vegetaCsv } from '../../importers/vegeta-csv'
import { vegetaGob } from '../../importers/vegeta-gob'
import { vegetaResultsJson } from '../../importers/vegeta-results-json'
import { readInPlace, readStart } from './read-in-place'

const file = process.argv[2] ?? ''
const start = readStart(file)
// Lambda's brings a library of its own, which is loaded where it is needed only.
const importer =
  [vegetaGob, vegetaCsv, vegetaResultsJson, heyCsv].find(({ detect }) => detect(start)) ??
  [(await import('../../importers/lambda-log-file')).lambdaLogFile].find(({ detect }) => detect(start))
if (importer === undefined) throw new Error(`${file} is no file of raw results`)
const { runs } = await readRaw(importer, readInPlace(file))
const [run] = runs
process.stdout.write(
  JSON.stringify({
    count: run?.latencies[0]?.count ?? 0,
    errorKinds: run?.errors.length ?? 0,
    jsonBytes: JSON.stringify(run).length,
    histogramBytes: run?.latencies.reduce((sum, { histogram }) => sum + JSON.stringify(histogram).length, 0) ?? 0,
    maxRssBytes: process.resourceUsage().maxRSS * 1_024,
  }),
)
