import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { distinctNames } from '@/components/compare/distinct-names'
import { compareRuns } from '@/lib/comparison'
import { verdictSentence } from '@/lib/comparison-words'
import { figuresOf } from '@/lib/figures'
import { findingsOf } from '@/lib/findings'
import { runsOf } from '../read-fixture'

/** Which runs of each document are compared, by their place in it, the base first. */
const pages = [
  { name: 'dispatcher-vs-direct', document: 'lambda-dispatcher-vs-direct', runs: [1, 0] },
  { name: 'cascade', document: 'cascade-load-test', runs: [0, 1, 2, 3] },
  { name: 'protobuf-vs-json', document: 'protobuf-vs-json', runs: [0, 2] },
  { name: 'c6i-vs-c6g', document: 'smithy-wrk', runs: [0, 1] },
  { name: 'zlib-gzip', document: 'zlib-gzip', runs: [0, 1, 2, 3] },
] as const

describe('comparisons of the seed documents', () => {
  for (const { name, document, runs } of pages) {
    it(name, async () => {
      const found = await runsOf({ document })
      const [base, ...others] = runs.map((at) => {
        const run = found[at] ?? expect.fail(`${document} has no run ${at}`)
        const { scenario, variant, environment } = run.proposal
        const names = { scenario: scenario ?? '', variant, environment }
        return { id: String(at), tool: run.tool, ...names, figures: figuresOf(run), imported: run }
      })
      if (!base) throw new Error('no base')
      const comparison = compareRuns(base, others)
      const data = {
        names: distinctNames([base, ...others]),
        verdict: verdictSentence(comparison),
        table: comparison.rows.map(({ metric, baseValue, deltas }) => ({
          metric: metric.id,
          base: baseValue,
          others: deltas.map(({ value, changeRatio, verdict, evidence }) => ({
            value,
            changeRatio,
            verdict,
            evidence,
          })),
        })),
        findings: [base, ...others].map((run) =>
          findingsOf(run.imported).map(({ id, severity }) => `${severity}: ${id}`),
        ),
      }
      const file = `tests/fixtures/compare/${name}.json`
      const isNew = process.env.UPDATE_GOLDEN !== undefined && process.env.CI === undefined
      if (isNew || !existsSync(file)) expect(isNew, `${file} is missing`).toBe(true)
      if (isNew) writeFileSync(file, `${JSON.stringify(data, null, 2)}\n`)
      expect(data).toEqual(JSON.parse(readFileSync(file, 'utf8')))
    })
  }
})
