/**
 * `npm run test:voice -- [--seeds 20] [--first 1]`: uploads random histories and prints every pair of surfaces that
 * contradict each other.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { startFactsServer } from './facts-server'
import { walkSeed } from './walk'

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '20' }, first: { type: 'string', default: '1' } },
})
/** Abbreviates ids of runs to their first characters, and long sides to their first run. */
const short = (text: string): string =>
  text.replaceAll(/\b([0-9a-v]{6})[0-9a-v]{20}\b/g, '$1').replaceAll(/(?:(?:\+|%2B)[0-9a-v]{6})+/g, '+…')

const folder = await mkdtemp(path.join(tmpdir(), 'tailboard-consistency-'))
const server = await startFactsServer(folder)
const startedAt = Date.now()
const total = { surfaces: 0, facts: 0, violations: 0 }
try {
  const first = Number(values.first)
  for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
    const { surfaces, facts, violations } = await walkSeed(server, seed, startedAt)
    total.surfaces += surfaces
    total.facts += facts
    total.violations += violations.length
    for (const { rule, key, says } of violations)
      process.stdout.write(short(`seed ${seed}, rule ${rule}, ${key}\n  ${says[0]}\n  ${says[1]}\n`))
  }
} catch (error) {
  process.stderr.write(`The server printed last:\n${server.app.output().slice(-4_000)}\n`)
  throw error
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
const seconds = Math.round((Date.now() - startedAt) / 1_000)
process.stdout.write(
  `${values.seeds} histories in ${seconds} s: ${total.facts} facts on ${total.surfaces} surfaces, ${total.violations} contradictions\n`,
)
process.exitCode = total.violations === 0 ? 0 : 1
