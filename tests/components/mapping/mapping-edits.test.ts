import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { editMapping, mappingForm, mappingName, mappingOf, withField } from '@/components/mapping/mapping-edits'
import { proposeFor } from '@/importers/index'
import { columnMappingSchema } from '@/lib/run/column-mapping'

const proposalOf = (text: string) => {
  const found = proposeFor(new TextEncoder().encode(text))
  if (found === null) throw new Error('Nothing was proposed')
  return found
}
const own = proposalOf('took,at,code\n3.5,2026-05-01T10:00:00Z,200\n4.5,2026-05-01T10:00:01Z,500\n')

describe('a mapping as a form', () => {
  it('asks for the unit that no name states, and is a valid mapping then', () => {
    const form = mappingForm(own.mapping, own.columns)
    expect(form).toMatchObject({ fields: ['latency', 'time', 'status'], unit: null, timeFormat: 'iso' })
    expect(mappingOf(form, own)).toContain('unit of the latency')
    const mapping = mappingOf({ ...form, unit: 'ms', goodTo: '299' }, own)
    expect(columnMappingSchema.parse(mapping)).toEqual(mapping)
    expect(mapping).toMatchObject({
      latency: { column: 'took', unit: 'ms' },
      time: { column: 'at', format: 'iso', at: 'start' },
      status: { column: 'code', good: { from: 100, to: 299 } },
      error: null,
    })
  })

  it('assigns a field to one column only', () => {
    const form = withField(mappingForm(own.mapping, own.columns), 2, 'latency')
    expect(form.fields).toEqual([null, 'time', 'latency'])
    expect(mappingOf(withField(form, 2, null), own)).toBe('Say which column is the latency.')
  })

  it('begins again with a stored mapping, or with what the columns suggest', () => {
    const stored = columnMappingSchema.parse(mappingOf({ ...mappingForm(own.mapping, own.columns), unit: 'us' }, own))
    const start = { proposal: own, kept: [{ name: 'nightly', mapping: stored }], fileName: 'Orders.csv' }
    const draft = { form: withField(mappingForm(own.mapping, own.columns), 2, null), name: 'typed' }
    const begun = editMapping(start, draft, { kind: 'begin', from: 'nightly' })
    expect(begun).toMatchObject({ name: 'nightly', form: { unit: 'us', fields: ['latency', 'time', 'status'] } })
    const changed = editMapping(start, begun, { kind: 'meaning', change: { unit: 's', timeAt: 'end' } })
    expect(changed).toMatchObject({ name: 'nightly', form: { unit: 's', timeAt: 'end' } })
    expect(editMapping(start, changed, { kind: 'name', name: 'hourly' })).toEqual({ ...changed, name: 'hourly' })
    expect(editMapping(start, changed, { kind: 'begin', from: '' })).toEqual({
      form: mappingForm(own.mapping, own.columns),
      name: 'orders',
    })
  })

  it('names columns by number where there is no heading, and shows every stored mapping as it is', async () => {
    for (const file of ['bad-no-heading.csv', 'bad-own.csv', 'bad-own.ndjson', 'bad-own.json']) {
      const proposal = proposalOf(await readFile(`tests/fixtures/mapped/${file}`, 'utf8'))
      const stored = columnMappingSchema.parse(
        JSON.parse(await readFile(`tests/fixtures/mapped/${file}.mapping.json`, 'utf8')),
      )
      const shown = mappingOf(mappingForm(stored, proposal.columns), proposal)
      expect(shown).toEqual({ ...stored, separator: proposal.mapping.separator })
    }
  })

  it("proposes nothing for another tool's output", () => {
    expect(proposeFor(new TextEncoder().encode('goos: linux\nBenchmarkSum-8   100   12 ns/op\n'))).toBeNull()
  })

  it.each([
    ['Orders 2026-05.csv', 'orders-2026-05'],
    ['samples.csv.gz', 'samples'],
    ['_x.ndjson', 'x'],
    ['прогон.csv', 'samples'],
  ])('names the mapping of %s', (file, name) => {
    expect(mappingName(file)).toBe(name)
  })
})
