/**
 * `npm run fuzz -- [--runs 100000] [--seed 1]`: damages real files, reads them, and prints each one that was read
 * incorrectly.
 */
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
})
const startedAt = Date.now()
const failures = await fuzz({
  runs: Number(values.runs),
  seed: Number(values.seed),
  onProgress: (done) => process.stderr.write(`\r${done} of ${values.runs}`),
})
process.stderr.write('\n')
for (const { file, how, seed, what } of failures) process.stdout.write(`${file} (${how}, seed ${seed}): ${what}\n`)
const seconds = Math.round((Date.now() - startedAt) / 1_000)
process.stdout.write(
  `${values.runs} inputs from seed ${values.seed} in ${seconds} s: ${failures.length} not read as they should be\n`,
)
process.exitCode = failures.length === 0 ? 0 : 1
