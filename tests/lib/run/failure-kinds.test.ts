import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findingsOf } from '@/lib/judge/findings'
import { errorCountOf, failureKinds } from '@/lib/run/figures'
import { importedRunSchema } from '@/lib/run/imported-run-schema'
import { tools } from '@/lib/run/tools'

const fixtures = join(import.meta.dirname, '../../fixtures')
const golden = z.object({ runs: z.array(importedRunSchema) })
const runs = readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.expected.json'))
  .flatMap((name) => {
    const file = golden.safeParse(JSON.parse(readFileSync(join(fixtures, name), 'utf8'))).data
    return (file?.runs ?? []).map((run) => ({ name, run }))
  })

describe('how requests failed', () => {
  // In these, each request has a status, or is one of the kinds.
  const told = runs.filter(
    ({ run }) =>
      run.complete &&
      tools[run.tool].failures.errorsAre === 'among-codes' &&
      Object.keys(run.statusCodes).length > 0 &&
      errorCountOf(run) !== null,
  )

  it("has as many parts as failures, or none if the statuses are not HTTP's", () => {
    expect(new Set(told.map(({ run }) => run.tool)).size).toBeGreaterThan(4)
    const sums = told.map(({ name, run }) => [name, failureKinds(run).reduce((sum, { count }) => sum + count, 0)])
    const others = 'mapped/bad-own.json.expected.json'
    expect(sums).toEqual(told.map(({ name, run }) => [name, name === others ? 0 : errorCountOf(run)]))
  })

  it('names requests without a status, those that failed despite a good one, and the rest if there are many kinds', () => {
    const { run } = runs.find(({ name }) => name === 'mapped/bad-own.csv.expected.json') ?? {}
    if (run === undefined) throw new Error('a run expected')
    const sentence = (changed: Partial<typeof run>) =>
      findingsOf({ ...run, ...changed })
        .find(({ id }) => id === 'some-failed')
        ?.sentence.replace(/[\u00a0\u202f]/g, ' ')
    expect(sentence({})).toContain('failed: 1 with status 404, 1 with status 503, 1 without a status')
    expect(sentence({ requests: 6 })).toContain('failed: 1 with status 404, 1 with status 503')
    expect(sentence({ successes: 3 })).toMatch(/1 without a status, 1 despite a good status$/)
    const statusCodes = { '200': 90, '400': 5, '401': 4, '403': 3, '404': 2, '500': 1 }
    expect(sentence({ requests: 105, successes: 90, statusCodes })).toMatch(/5 with status 400, .*, 1 otherwise$/)
  })
})
