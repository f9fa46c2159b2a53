/**
 * `npm run --silent capacity -- FOLDER`: how much labelled sweeps hold, as JSON for the folder's scorer. Inputs:
 * sweeps.jsonl, real.jsonl with the files that it names; absent ones give no answers.
 */
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { importFile } from '../importers'
import { answersOf } from '../lib/capacity/answer'
import { capacityDocument } from '../lib/capacity/capacity-document'
import type { CapacityRun } from '../lib/capacity/capacity-run'
import { runOfFile } from '../lib/capacity/known-run'
import { sweepSchema, type SweepFiles } from './labelled/sweep-document'

const [, , folder = ''] = process.argv
if (folder === '') {
  process.stderr.write('Usage: npm run --silent capacity -- FOLDER (with sweeps.jsonl, real.jsonl)\n')
  process.exit(2)
}

async function readRuns(files: SweepFiles): Promise<readonly CapacityRun[]> {
  const runs: CapacityRun[] = []
  for (const { file, ratePerS, connections, durationS } of files) {
    const imported = await importFile(createReadStream(path.join(folder, file)))
    const run = imported.runs.at(-1)
    const durationMs = durationS === undefined ? undefined : durationS * 1_000
    if (run) runs.push(runOfFile(file, run, { ratePerSecond: ratePerS, connections, durationMs }))
  }
  return runs
}

const answers: unknown[] = []
for (const name of ['sweeps.jsonl', 'real.jsonl']) {
  const file = path.join(folder, name)
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    if (line.trim() === '') continue
    const { id, objectives, target, runs: made, files } = sweepSchema.parse(JSON.parse(line))
    const runs = made ?? (await readRuns(files ?? []))
    answers.push({ id, ...capacityDocument(runs, objectives, answersOf(runs, objectives, target)) })
  }
}
process.stdout.write(`${JSON.stringify({ answers })}\n`)
