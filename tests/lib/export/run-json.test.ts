import { expect, it } from 'vitest'
import { readRunJson, writeRunJson } from '@/lib/export/run-json'
import type { Latency } from '@/lib/run/run'
import { runsOf } from '../../read-fixture'

it('reads back what it wrote, and no histogram derived from others', async () => {
  const [run] = await runsOf({ fixture: 'vegeta-csv/heading.csv' })
  if (run === undefined) throw new Error('no run')
  const written: { readonly latencies: readonly Latency[] } = JSON.parse(writeRunJson(run).join('\n'))
  expect(readRunJson(written)?.latencies).toEqual(run.latencies)

  const payloads = run.latencies.flatMap(({ histogram }) => (histogram?.kind === 'hdr' ? [histogram.v2Base64] : []))
  expect(payloads).not.toEqual([])
  const [first, ...others] = written.latencies
  const derived = { ...first, histogram: { ...first?.histogram, lessV2Base64: payloads[0] } }
  expect(readRunJson({ ...written, latencies: [derived, ...others] })).toBeNull()
})
