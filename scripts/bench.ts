/** `npm run bench`: import speed against a floor in the same run, and the weight of the pages as a browser receives them. */
import { mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { measureParseSpeed } from '../tests/bench/parse-speed'
import { weighPages } from '../tests/bench/page-weight'
import { startApp } from '../tests/server/app'

const print = (line: string) => process.stdout.write(`${line}\n`)

const speed = await measureParseSpeed()
print('import of a Lambda log, whole importer in process')
print(
  `  ${speed.megabytes.toFixed(1)} MB, ${speed.rounds} rounds: ${speed.megabytesPerSecond.toFixed(0)} MB/s, ${speed.ratioToSha256.toFixed(1)} × the time of hashing the same bytes (median)`,
)

const startedAt = performance.now()
const app = await startApp({ dataFolder: mkdtempSync(path.join(os.tmpdir(), 'tailboard-bench-')) })
print(`server: first start with sample data ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
try {
  const rows = z.object({ rows: z.array(z.object({ id: z.string(), projectSlug: z.string() })).min(2) })
  const projects = z.object({ projects: z.array(z.object({ slug: z.string() })).min(1) })
  const { projects: all } = projects.parse(await (await fetch(`${app.url}/api/v1/projects`)).json())
  const slug = all[0]?.slug ?? ''
  const page = rows.parse(await (await fetch(`${app.url}/api/v1/projects/${slug}/runs`)).json())
  const [first, second] = page.rows
  const paths = [
    '/',
    `/p/${slug}/runs`,
    `/p/${slug}/runs/${first?.id}`,
    `/p/${slug}/compare/${first?.id}...${second?.id}`,
    `/p/${slug}/matrix`,
  ]
  print('pages, fresh context each (KB on the wire: script, all; first contentful paint)')
  for (const weight of await weighPages(app.url, paths)) {
    const kilobytes = (bytes: number) => (bytes / 1000).toFixed(0).padStart(6)
    print(
      `  ${kilobytes(weight.scriptBytes)} ${kilobytes(weight.totalBytes)} ${weight.firstContentfulPaintMs.toFixed(0).padStart(6)} ms  ${weight.path}`,
    )
  }
} finally {
  await app.stop()
}
