/**
 * `npm run --silent judge -- FOLDER`: what the judge says of labelled experiments, tool outputs and warm-ups, as one JSON
 * document for the folder's scorer. Inputs: experiments.jsonl, declared.json with guards/, warmup/; those absent give [].
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { experimentSchema, printVerdicts } from './judge-document'

const folder = process.argv[2]
if (!folder) {
  process.stderr.write('Usage: npm run --silent judge -- FOLDER (with experiments.jsonl, declared.json, warmup/)\n')
  process.exit(2)
}

const linesOf = (file: string) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []

const experiments = linesOf(path.join(folder, 'experiments.jsonl')).map((line) =>
  experimentSchema.parse(JSON.parse(line)),
)
process.stdout.write(`${JSON.stringify({ verdicts: printVerdicts(experiments), guards: [], warmup: [] })}\n`)
