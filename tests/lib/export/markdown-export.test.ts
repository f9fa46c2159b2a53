import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outputThatReadsBack } from '../../../app/_server/sharing/page-output'
import { importFile } from '../../../importers/index'
import { writeMarkdownPage, type PageRun } from '../../../lib/export/markdown-export'
import type { ImportedFile, ImportedRun } from '../../../lib/run/run'
import { haveSameFigures } from '../../../lib/run/same-run'
import { caseCount } from '../../case-count'

const root = path.join(import.meta.dirname, '../../fixtures')

async function read(text: string | Uint8Array): Promise<ImportedFile> {
  const bytes = Buffer.from(text)
  return importFile(
    (async function* () {
      yield bytes
    })(),
  )
}

function pageRun(run: ImportedRun, at: number, lines: readonly string[] | null): PageRun {
  const { scenario, variant, environment, labels, environmentAttributes } = run.proposal
  return {
    title: `${scenario ?? 'run'} ${at + 1}`,
    scenario: scenario ?? 'Untitled',
    variant,
    environment,
    labels,
    environmentAttributes,
    startedAt: run.startedAt,
    imported: run,
    output: lines,
  }
}

const pageOf = (runs: readonly PageRun[]) =>
  writeMarkdownPage({
    title: 'A | B',
    lead: ['p99 is 19 % higher on `zlib`', 'One run per side, so this may be noise.'],
    tables: [{ title: 'Figures', head: ['Metric', 'A', 'B'], rows: [['p99, ms', '1.2', '3.4']], foot: '' }],
    differences: ['connections: 10 / 20'],
    takeaways: '- We keep the **dispatcher**\n\n```\nnot closed',
    notes: 'Memory: 128 MB',
    runs,
    cellNotes: [{ scenario: 'S | x', variant: 'not there', environment: null, text: 'not possible: 6 MB' }],
  })

function expectSame(again: ImportedRun | undefined, run: ImportedRun): void {
  if (again === undefined) throw new Error('the run is gone')
  expect(again.tool).toBe(run.tool)
  expect(again.form).toBe(run.form)
  expect(again.proposal.variant).toBe(run.proposal.variant)
  expect(again.proposal.environment).toBe(run.proposal.environment)
  expect(again.proposal.labels).toEqual(run.proposal.labels)
  expect(again.proposal.environmentAttributes).toEqual(run.proposal.environmentAttributes)
  expect(again.startedAt).toBe(run.startedAt)
  expect(again.command).toBe(run.command)
  expect(again.context.notes.map(({ text }) => text)).toEqual(run.context.notes.map(({ text }) => text))
  expect(again.latencies).toEqual(run.latencies)
  expect(haveSameFigures(again, run)).toBe(true)
}

const seeds = [
  'lambda-dispatcher-vs-direct.md',
  'cascade-load-test.md',
  'zlib-gzip.md',
  'smithy-wrk.md',
  'protobuf-vs-json.md',
]

describe.each(seeds)('%s', (name) => {
  const text = readFileSync(path.join(root, 'documents', name), 'utf8')

  it('gives the same runs when its page is imported, from output or from figures', async () => {
    const { runs } = await read(text)
    expect(runs.length).toBeGreaterThan(1)
    const lines = text.split(/\r?\n/)
    for (const isText of [true, false]) {
      const given = await Promise.all(
        runs.map(async (run, at) => {
          const figures = pageRun(run, at, null)
          const own = lines.slice(run.context.lines[0] - 1, run.context.lines[1])
          return isText ? { ...figures, output: await outputThatReadsBack(figures, own) } : figures
        }),
      )
      // Rows of a table have no output of their own.
      const areRows = name === 'protobuf-vs-json.md'
      expect(given.every(({ output }) => (output === null) === (!isText || areRows))).toBe(true)
      const again = await read(pageOf(given))
      expect(again.runs.length).toBe(runs.length)
      runs.forEach((run, at) => expectSame(again.runs[at], run))
      expect(again.runs.map((run) => run.proposal.scenario)).toEqual(given.map((run) => run.scenario))
      expect(again.cellNotes).toMatchObject([{ scenario: 'S | x', variant: 'not there', text: 'not possible: 6 MB' }])
    }
  })
})

it('writes every tool and form so that it can be read again', async () => {
  const forms = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const runs: ImportedRun[] = []
  for (const { name } of forms) {
    if (['invalid', 'foreign', 'documents', 'compare', 'secrets', 'tailboard-run'].includes(name)) continue
    const files = readdirSync(path.join(root, name)).filter((file) => !/\.json$|^bad-|README/.test(file))
    for (const file of files.slice(0, 3)) {
      const found = await read(readFileSync(path.join(root, name, file))).catch(() => null)
      runs.push(...(found?.runs.slice(0, 2) ?? []))
    }
  }
  expect(new Set(runs.map((run) => run.form)).size).toBeGreaterThan(12)
  const again = await read(pageOf(runs.map((run, at) => pageRun(run, at, null))))
  expect(again.runs.length).toBe(runs.length)
  runs.forEach((run, at) => {
    expectSame(again.runs[at], run)
  })
  expect(again.runs.every((run) => run.warnings.some(({ code }) => code === 'exported-figures'))).toBe(true)
})

it('keeps any names, labels, notes and dates unchanged', async () => {
  const output = readFileSync(path.join(root, 'hey-text/http2.txt'), 'utf8').split(/\r?\n/)
  const [found] = (await read(output.join('\n'))).runs
  if (found === undefined) throw new Error('no run')
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 })
  const tricky = fc.constantFrom(
    '--> <!--',
    '```',
    '| a |',
    '## Run 2',
    'c6i.8xlarge',
    '2022-01-01',
    '\u200b\u00a0',
    '"\\',
  )
  const name = fc.oneof(text, tricky)
  const run = fc.record({
    scenario: name,
    variant: fc.option(name),
    environment: fc.option(name),
    // No label can have such a name: uploads refuse it.
    labels: fc.dictionary(
      name.filter((key) => key !== '__proto__'),
      name,
      { maxKeys: 3, noNullPrototype: true },
    ),
    startedAt: fc.option(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })),
    notes: fc.array(name, { maxLength: 2 }),
    isText: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 4 }), async (wanted) => {
      const given = wanted.map(({ notes, isText, startedAt, ...names }, at): PageRun => ({
        ...pageRun(found, at, isText ? output : null),
        ...names,
        title: names.scenario,
        startedAt: startedAt?.toISOString() ?? null,
        imported: { ...found, context: { ...found.context, notes: notes.map((line) => ({ text: line, line: 1 })) } },
      }))
      const { runs } = await read(pageOf(given))
      expect(runs.length).toBe(given.length)
      for (const [at, { scenario, variant, environment, labels, startedAt, imported }] of given.entries()) {
        const again = runs[at]
        expect(again?.proposal).toMatchObject({ scenario, variant, environment })
        expect(again?.proposal.labels).toEqual(labels)
        expect(again?.startedAt).toBe(startedAt)
        expect(again?.context.notes.map((note) => note.text)).toEqual(imported.context.notes.map((note) => note.text))
        expect(again !== undefined && haveSameFigures(again, found)).toBe(true)
      }
    }),
    { numRuns: caseCount(60) },
  )
})
