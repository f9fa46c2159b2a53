/** `npm test`: every suite, in order, then one line `N passed, N failed` over all of them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { buildIsCurrent, markBuild } from './build-state'

const root = new URL('..', import.meta.url).pathname
process.chdir(root)
const results = mkdtempSync(path.join(os.tmpdir(), 'tailboard-test-'))
const only = process.argv.slice(2)

const vitestResult = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  success: z.boolean(),
})
const playwrightResult = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
})

interface Outcome {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

function run(args: readonly string[], env: Record<string, string> = {}): number {
  const { status } = spawnSync(process.execPath, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env },
  })
  return status ?? 1
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null // the runner died before it wrote its results: counted as a failure below
  }
}

function vitest(project: string): Outcome {
  const file = path.join(results, `${project}.json`)
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]
  const status = run(args)
  const parsed = vitestResult.safeParse(readJson(file))
  if (!parsed.success) return { passed: 0, failed: 1, skipped: 0 }
  const { numPassedTests: passed, numFailedTests, numPendingTests: skipped } = parsed.data
  return { passed, failed: Math.max(numFailedTests, status === 0 ? 0 : 1), skipped }
}

function playwright(): Outcome {
  const file = path.join(results, 'e2e.json')
  const status = run(['node_modules/@playwright/test/cli.js', 'test'], { PLAYWRIGHT_JSON_OUTPUT_NAME: file })
  const parsed = playwrightResult.safeParse(readJson(file))
  if (!parsed.success) return { passed: 0, failed: 1, skipped: 0 }
  const { expected, unexpected, flaky, skipped } = parsed.data.stats
  if (flaky > 0) process.stdout.write(`${flaky} of them only at the second attempt\n`)
  return { passed: expected + flaky, failed: Math.max(unexpected, status === 0 ? 0 : 1), skipped }
}

function build(): Outcome {
  if (buildIsCurrent(root)) return { passed: 0, failed: 0, skipped: 0 }
  const status = run(['node_modules/next/dist/bin/next', 'build'])
  if (status === 0) markBuild(root)
  return { passed: 0, failed: status === 0 ? 0 : 1, skipped: 0 }
}

const steps: readonly (readonly [string, () => Outcome])[] = [
  ['unit', () => vitest('unit')],
  ['queries', () => vitest('queries')],
  ['build', build],
  ['server', () => vitest('server')],
  ['e2e', playwright],
]

const outcomes = new Map<string, Outcome>()
for (const [name, step] of steps) {
  if (only.length > 0 && !only.includes(name)) continue
  process.stdout.write(`\n== ${name}\n`)
  const startedAt = Date.now()
  const outcome = step()
  outcomes.set(name, outcome)
  process.stdout.write(
    `== ${name}: ${outcome.passed} passed, ${outcome.failed} failed, ${outcome.skipped} skipped in ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`,
  )
  if (name === 'build' && outcome.failed > 0) break
}

const sum = (pick: (outcome: Outcome) => number) =>
  [...outcomes.values()].reduce((total, outcome) => total + pick(outcome), 0)
const failed = sum((outcome) => outcome.failed)
const skipped = sum((outcome) => outcome.skipped)
process.stdout.write(
  `\n${sum((outcome) => outcome.passed)} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
)
process.exit(failed === 0 ? 0 : 1)
