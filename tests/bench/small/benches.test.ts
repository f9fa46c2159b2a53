import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { z } from 'zod'
import packageJson from '../../../package.json' with { type: 'json' }

const run = promisify(execFile)

/** A small form of each bench whose figures README or docs quote, and what it prints at its end. */
const benches: readonly (readonly [name: string, args: readonly string[], printed: RegExp])[] = [
  ['bench:import', ['2000', '1'], /k6 NDJSON/],
  ['bench:start', ['5'], /tailboard compare/],
  ['bench:detector', ['1', '1', '4'], /other kinds: 4 series/],
  ['bench:accuracy', ['2000'], /\| 2000 \| p99\.9 \|/],
  ['bench:upload', ['2000', '1'], /embedded, while .* come in: p95 of other requests/],
  ['bench:history', ['2000'], /aim for p50/],
  ['bench:cost', ['2'], /healthz/],
  ['bench:load', ['--minutes', '0.05'], /"errors":0/],
]
const scripts = z.record(z.string(), z.string()).parse(packageJson.scripts)

it.each(benches)('%s ends well in a small form', async (name, args, printed) => {
  const [program = '', ...own] = (scripts[name] ?? '').split(' ')
  expect(program).toBe('node')
  // What a suite shares with its files is nothing that a bench on its own would have.
  const env: NodeJS.ProcessEnv = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  for (const key of Object.keys(env)) if (/^(?:TAILBOARD|VITEST)/.test(key)) Reflect.deleteProperty(env, key)
  const { stdout } = await run(process.execPath, [...own, ...args], { env })
  expect(stdout).toMatch(printed)
})
