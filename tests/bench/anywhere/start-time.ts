/**
 * `npm run bench:start`: seconds until the command line has read a small file, beside those of an empty Node, which any
 * command takes. The shortest of several, because other processes only add to it. Fails beyond its bound.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { bundleCli } from '../../../scripts/bundle-commands'

const times = Number(process.argv[2] ?? 15)
/** Times an empty Node, as measured beside other work: 2.4 to 3.3. Through a compiler it would be 20. */
const bound = 5

const root = path.join(import.meta.dirname, '../../..')
const folder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-start-'))
const sample = path.join(root, 'tests/fixtures/wrk-text/latency.txt')

function secondsOf(args: readonly string[]): number {
  const beganMs = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return (performance.now() - beganMs) / 1_000
}

try {
  await bundleCli(root, folder)
  const cli = path.join(folder, 'cli.mjs')
  const commands = {
    'node -e 0': ['-e', '0'],
    'tailboard parse': [cli, 'parse', sample],
    'tailboard show': [cli, 'show', sample],
    'tailboard compare': [cli, 'compare', sample, sample],
  }
  const shortest = Object.fromEntries(Object.keys(commands).map((name) => [name, Number.POSITIVE_INFINITY]))
  for (let time = 0; time < times; time += 1)
    for (const [name, args] of Object.entries(commands))
      shortest[name] = Math.min(shortest[name] ?? Number.POSITIVE_INFINITY, secondsOf(args))
  const empty = shortest['node -e 0'] ?? 1
  for (const [name, seconds] of Object.entries(shortest))
    process.stdout.write(`${name.padEnd(18)}${seconds.toFixed(3).padStart(7)} s  ×${(seconds / empty).toFixed(2)}\n`)
  const slowest = Math.max(...Object.values(shortest)) / empty
  if (slowest > bound) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
