/**
 * `npm run --silent judge -- FOLDER`: the judgements of labelled experiments, tool outputs and warm-ups, as one JSON
 * document for the folder's scorer. Inputs: experiments.jsonl, declared.json with guards/, warmup/; absent ones give
 * [].
 */
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createGunzip } from 'node:zlib'
import { importFile } from '../importers'
import { guardSentence } from '../lib/judge/guard-words'
import { guardsOf } from '../lib/judge/guards'
import { declaredOf, declaredSchema, experimentSchema, printVerdicts } from './labelled/judge-document'

const [, , folder = ''] = process.argv
if (folder === '') {
  process.stderr.write('Usage: npm run --silent judge -- FOLDER (with experiments.jsonl, declared.json, warmup/)\n')
  process.exit(2)
}

const textOf = (name: string) => {
  const file = path.join(folder, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Seconds until each run is steady, 0 if no warm-up is detected; null: it never is. */
async function judgeWarmUps() {
  const place = path.join(folder, 'warmup')
  if (!existsSync(place)) return []
  const found = []
  for (const name of readdirSync(place).sort()) {
    const file = createReadStream(path.join(place, name))
    const { runs } = await importFile(name.endsWith('.gz') ? file.pipe(createGunzip()) : file)
    const warmUp = runs[0]?.timeline?.warmUp ?? { endMs: 0 }
    found.push({ file: `warmup/${name}`, endS: warmUp.endMs === null ? null : warmUp.endMs / 1_000 })
  }
  return found
}

async function judgeOutputs() {
  const declared = declaredSchema.parse(JSON.parse(textOf('declared.json') || '{}'))
  const found = []
  for (const [file, one] of Object.entries(declared)) {
    const { runs } = await importFile(createReadStream(path.join(folder, file)))
    const run = runs.at(-1)
    if (run) {
      const { asked, q } = declaredOf(run, one)
      const guards = guardsOf(run, asked, q)
      found.push({ file, invalid: guards.map(({ code }) => code), evidence: guards.map(guardSentence) })
    } else found.push({ file, invalid: ['unreadable'], evidence: [] })
  }
  return found
}

const experiments = textOf('experiments.jsonl')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => experimentSchema.parse(JSON.parse(line)))
const document = {
  verdicts: printVerdicts(experiments),
  guards: await judgeOutputs(),
  warmup: await judgeWarmUps(),
}
process.stdout.write(`${JSON.stringify(document)}\n`)
