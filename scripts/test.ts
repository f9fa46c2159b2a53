/** `npm test`: every suite, in order, the seconds of each, then one line `N passed, N failed` over all of them. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'

const root = new URL('..', import.meta.url).pathname
process.chdir(root)
const results = mkdtempSync(path.join(os.tmpdir(), 'tailboard-test-'))
/** Databases that the suites copy: the first suite that needs one makes it. */
const folders = path.join(results, 'folders')
mkdirSync(folders)
process.on('exit', () => rmSync(results, { recursive: true, force: true }))
const only = process.argv.slice(2)

const vitestResult = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  success: z.boolean(),
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
})
const playwrightResult = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
})

interface Outcome {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Each failed test with the beginning of its message: printed last, where readers of a long log look. */
  readonly failures?: readonly string[]
}

/** A Node program's exit code; 1 when it was killed. */
function run(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', TAILBOARD_TEST_FOLDERS: folders, ...env },
  })
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null // the runner died before it wrote its results: counted as a failure below
  }
}

/** Tests that failed, and files that could not be run. */
function failuresOf({ testResults }: z.infer<typeof vitestResult>): string[] {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    const file = path.relative(root, name)
    if (failed.length === 0) return message === '' ? [] : [`${file}: ${beginningOf(message)}`]
    return failed.map(
      ({ fullName, failureMessages }) => `${file}: ${fullName}: ${beginningOf(failureMessages.join(' '))}`,
    )
  })
}

const beginningOf = (message: string): string => message.replaceAll(/\s+/g, ' ').slice(0, 500)

async function vitest(project: string): Promise<Outcome> {
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
  const status = await run(args)
  const parsed = vitestResult.safeParse(readJson(file))
  if (!parsed.success) return { passed: 0, failed: 1, skipped: 0 }
  const { numPassedTests: passed, numFailedTests, numPendingTests: skipped } = parsed.data
  const failed = Math.max(numFailedTests, status === 0 ? 0 : 1)
  return { passed, failed, skipped, failures: failed > 0 ? failuresOf(parsed.data) : [] }
}

async function playwright(): Promise<Outcome> {
  const file = path.join(results, 'e2e.json')
  const status = await run(['node_modules/@playwright/test/cli.js', 'test'], { PLAYWRIGHT_JSON_OUTPUT_NAME: file })
  const parsed = playwrightResult.safeParse(readJson(file))
  if (!parsed.success) return { passed: 0, failed: 1, skipped: 0 }
  const { expected, unexpected, flaky, skipped } = parsed.data.stats
  if (flaky > 0) process.stdout.write(`${flaky} of them only at the second attempt\n`)
  return { passed: expected + flaky, failed: Math.max(unexpected, status === 0 ? 0 : 1), skipped }
}

async function build(): Promise<Outcome> {
  const status = await run(['--import', 'tsx', 'scripts/build.ts'])
  return { passed: 0, failed: status === 0 ? 0 : 1, skipped: 0 }
}

/** After the build, which writes the types that Next requires of pages and routes. */
async function types(): Promise<Outcome> {
  const status = await run(['node_modules/typescript-native/bin/tsc', '--noEmit'])
  return { passed: 0, failed: status === 0 ? 0 : 1, skipped: 0 }
}

type Step = readonly [name: string, run: () => Promise<Outcome>]

/**
 * Steps of one stage run side by side: build and compiler use one thread each, and much time is spent waiting for
 * databases and servers.
 */
const stages: readonly (readonly Step[])[] = [
  [['unit', () => vitest('unit')]],
  [
    ['build', build],
    ['queries', () => vitest('queries')],
  ],
  [
    ['types', types],
    ['server', () => vitest('server')],
  ],
  [['e2e', playwright]],
]

const outcomes = new Map<string, Outcome & { readonly seconds: number }>()

async function runStep([name, step]: Step): Promise<void> {
  process.stdout.write(`\n== ${name}\n`)
  const startedAt = Date.now()
  const outcome = await step()
  outcomes.set(name, { ...outcome, seconds: (Date.now() - startedAt) / 1_000 })
}

const startedAt = Date.now()
for (const stage of stages) {
  await Promise.all(stage.filter(([name]) => only.length === 0 || only.includes(name)).map(runStep))
  if ((outcomes.get('build')?.failed ?? 0) > 0) break
}

const sum = (pick: (outcome: Outcome) => number) =>
  [...outcomes.values()].reduce((total, outcome) => total + pick(outcome), 0)
const [passed, failed, skipped] = [sum((one) => one.passed), sum((one) => one.failed), sum((one) => one.skipped)]
const row = (name: string, seconds: number, outcome: Outcome) =>
  `${name.padEnd(9)}${seconds.toFixed(1).padStart(8)}${[outcome.passed, outcome.failed, outcome.skipped].map((count) => String(count).padStart(8)).join('')}\n`
for (const [name, { failures = [] }] of outcomes)
  for (const failure of failures) process.stdout.write(`\nfailed in ${name}: ${failure}\n`)
process.stdout.write('\n          seconds  passed  failed skipped\n')
for (const [name, outcome] of outcomes) process.stdout.write(row(name, outcome.seconds, outcome))
process.stdout.write(row('all', (Date.now() - startedAt) / 1_000, { passed, failed, skipped }))
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
process.exit(failed === 0 ? 0 : 1)
