import type { RawImporter } from '../../importers/importer'
import { readRaw } from '../../importers/raw'
import { encodeCube } from '../../lib/history/cube-codec'
import { readInPlace, readStart } from './read-in-place'

/** Reads the file named on the command line with the importer that knows it, and prints its counts as JSON. */
export async function printImport(importers: readonly RawImporter[]): Promise<void> {
  const file = process.argv[2] ?? ''
  const start = readStart(file)
  const importer = importers.find(({ detect }) => detect(start))
  if (importer === undefined) throw new Error(`${file} is no file of raw results`)
  const { runs, beside } = await readRaw(
    importer,
    readInPlace(file),
    ...(process.argv[3] === 'cube' ? [{ cube: true }] : []),
  )
  const cube = beside?.[0]?.cube
  const [run] = runs
  process.stdout.write(
    JSON.stringify({
      count: run?.latencies[0]?.count ?? 0,
      errorKinds: run?.errors.length ?? 0,
      jsonBytes: JSON.stringify(run).length,
      histogramBytes: run?.latencies.reduce((sum, { histogram }) => sum + JSON.stringify(histogram).length, 0) ?? 0,
      ...(cube === undefined ? {} : { cubeBytes: (await encodeCube(cube)).length }),
      maxRssBytes: process.resourceUsage().maxRSS * 1_024,
    }),
  )
}
