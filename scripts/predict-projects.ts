/** `npm run --silent predict-projects -- FOLDER`: what is said of generated projects, as JSON for the folder's scorer. */
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { z } from 'zod'
import { replayProject, type ProjectRun } from '../lib/environment/replay-project'

const folder = process.argv[2]
if (!folder) {
  process.stderr.write('Usage: npm run --silent predict-projects -- FOLDER (with projects.jsonl)\n')
  process.exit(2)
}

const project = z.object({
  project: z.string(),
  series: z.array(
    z
      .object({ id: z.string(), environment: z.string(), control: z.boolean() })
      .transform(({ control, ...place }) => ({ ...place, isControl: control })),
  ),
  runs: z.array(
    z
      .tuple([z.number(), z.string(), z.string(), z.number().positive()])
      .transform(([time, series, commit, value]): ProjectRun => ({ time, series, commit, value })),
  ),
})

const said: Record<string, unknown> = {}
for await (const line of createInterface({ input: createReadStream(path.join(folder, 'projects.jsonl')) })) {
  if (line.trim() === '') continue
  const { project: name, series, runs } = project.parse(JSON.parse(line))
  said[name] = replayProject(series, runs)
}
process.stdout.write(`${JSON.stringify(said)}\n`)
