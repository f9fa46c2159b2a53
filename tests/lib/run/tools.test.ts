import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { importers } from '@/importers/index'
import { loadSchema, toolSchema } from '@/lib/run/imported-run-schema'
import { isTextForm, printingTools, toolIds, toolNames, tools, uploadKind } from '@/lib/run/tools'

const root = join(import.meta.dirname, '../../..')

const goldenSchema = z.object({
  runs: z.array(
    z.object({
      tool: toolSchema,
      form: z.string(),
      load: loadSchema,
      latencies: z.array(z.object({ method: z.string() })),
    }),
  ),
})
const goldenRuns = readdirSync(join(root, 'tests/fixtures'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.expected.json'))
  .map((name): unknown => JSON.parse(readFileSync(join(root, 'tests/fixtures', name), 'utf8')))
  .flatMap((golden) => goldenSchema.safeParse(golden).data?.runs ?? [])

describe('the table of tools', () => {
  it('agrees with docs/formats.md', () => {
    const rows = readFileSync(join(root, 'docs/formats.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| '))
    const told = toolIds
      .map((id) => tools[id])
      .map(({ name, versions, reads }) =>
        versions === null ? `| ${name} | ${reads} |` : `| ${name} ${versions} | ${reads} |`,
      )
    const [head, rule, ...body] = rows
    expect([head, rule]).toEqual(['| tool | formats |', '| --- | --- |'])
    // The last one is our own format.
    expect(body.slice(0, -1)).toEqual(told)
  })

  it('agrees with README.md', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    expect(readme).toContain(`Drop in what **${printingTools('or')}** printed`)
  })

  it.each(toolIds)('matches the loop and the quantile methods of the runs of %s', (tool) => {
    const runs = goldenRuns.filter((run) => run.tool === tool)
    expect(runs.length).toBeGreaterThan(0)
    const { loop } = tools[tool]
    if (loop !== 'by-options') expect(new Set(runs.map(({ load }) => load.kind))).toEqual(new Set([loop]))
    const methods = new Set(runs.flatMap(({ latencies }) => latencies.map(({ method }) => method)))
    expect([...methods].filter((method) => !tools[tool].quantiles.methods.some((known) => known === method))).toEqual(
      [],
    )
  })

  it('names existing forms', () => {
    const ids = importers.map(({ id }) => id)
    const named = Object.values(tools).flatMap(({ attackForms, sampleCap }) => [
      ...Object.keys(attackForms?.results ?? {}),
      ...Object.keys(attackForms?.reports ?? {}),
      ...(sampleCap.limit === null ? [] : [sampleCap.limit.form]),
    ])
    expect(named.filter((form) => !ids.includes(form))).toEqual([])
  })

  it('lists tools in words', () => {
    const some = (names: readonly string[]) => (facts: { readonly name: string }) => names.includes(facts.name)
    expect(toolNames(some(['wrk2', 'hey', 'vegeta']), 'or')).toBe('hey, vegeta or wrk2')
    expect(toolNames(some(['hey', 'vegeta']), ',')).toBe('hey, vegeta')
    expect(toolNames(some(['hey']), 'and')).toBe('hey')
    expect(toolNames(() => false, 'or')).toBe('')
    expect(printingTools('and')).toContain(tools.lambda.name)
    expect(printingTools('and')).not.toContain(tools.hdr.name)
  })
})

describe('uploadKind', () => {
  it('calls lines raw results, and only gob binary', () => {
    const of = (form: string, file?: string) => ({ form, context: { file } })
    expect(uploadKind('utf-8', [of('hey-text')])).toBe('text')
    expect(uploadKind(null, [of('vegeta-csv')])).toBe('raw results')
    expect(uploadKind(null, [of('hdr-log')])).toBe('raw results')
    expect(uploadKind(null, [of('vegeta-gob')])).toBe('binary results')
    expect(uploadKind(null, [of('hey-text', 'a/out.txt')])).toBe('archive')
    expect(uploadKind(null, [])).toBe('not text')
    const raw = importers.filter(({ kind }) => kind === 'raw').map(({ id }) => id)
    expect(raw.filter((id) => !isTextForm(id))).toEqual(['vegeta-gob'])
  })
})
