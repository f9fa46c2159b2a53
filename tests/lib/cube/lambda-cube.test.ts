import { describe, expect, it } from 'vitest'
import { importFile } from '@/importers'
import type { Cube } from '@/lib/cube/cube'
import { explainSides, type WhySide } from '@/lib/explain/explain-sides'
import { chunksOf } from './cube-of-text'
import { randomOf } from '../explain/generated-pairs'

interface Invocation {
  readonly ms: number
  readonly initMs: number | null
  readonly status: 'success' | 'timeout' | 'error'
}

/** Rows of an export of Logs Insights, ten a second. */
const insightsOf = (rows: readonly Invocation[]): string =>
  [
    '@timestamp,@requestId,@duration,@billedDuration,@memorySize,@maxMemoryUsed,@initDuration,@message',
    ...rows.map(({ ms, initMs, status }, at) => {
      const id = `ba934c95-cbe7-4839-bafb-${String(at).padStart(12, '0')}`
      const time = new Date(Date.parse('2026-11-21T02:00:00Z') + at * 100 + ms)
      const ended = status === 'success' ? '' : `\tStatus: ${status}`
      const init = initMs === null ? '' : `\tInit Duration: ${initMs} ms`
      const report = `REPORT RequestId: ${id}\tDuration: ${ms} ms\tBilled Duration: ${Math.ceil(ms)} ms\tMemory Size: 128 MB\tMax Memory Used: 70 MB${init}${ended}`
      return `${time.toISOString().replace('T', ' ').replace('Z', '')},${id},${ms},${Math.ceil(ms)},1.28E8,7.1E7,${initMs ?? ''},"${report}"`
    }),
    '',
  ].join('\n')

/** The console's log, without times. */
const logOf = (rows: readonly Invocation[]): string =>
  rows
    .map(({ ms, initMs, status }, at) => {
      const id = `ba934c95-cbe7-4839-bafb-${String(at).padStart(12, '0')}`
      const init = initMs === null ? '' : `Init Duration: ${initMs} ms\t`
      const ended = status === 'success' ? '' : `Status: ${status}`
      return `START RequestId: ${id} Version: $LATEST\nEND RequestId: ${id}\nREPORT RequestId: ${id}\tDuration: ${ms} ms\tBilled Duration: ${Math.ceil(ms)} ms\tMemory Size: 128 MB\tMax Memory Used: 70 MB\t${init}${ended}\n`
    })
    .join('')

/** `cold` of all invocations start an instance, and take as much longer. */
function invocations(seed: number, cold: number, timeouts = 0): Invocation[] {
  const random = randomOf(seed)
  return Array.from({ length: 3_000 }, () => {
    const isCold = random() < cold
    const isLate = random() < timeouts
    const ms =
      Math.round(100 * (isLate ? 3_000 : (isCold ? 180 : 12) * Math.exp(0.4 * (random() + random() - 1)))) / 100
    return { ms, initMs: isCold ? 210.5 : null, status: isLate ? 'timeout' : 'success' }
  })
}

async function sideOf(name: string, text: string): Promise<WhySide & { readonly cube: Cube }> {
  const { runs, beside } = await importFile(chunksOf(Buffer.from(text)), null, { cube: true })
  const [run] = runs
  const cube = beside?.[0]?.cube
  if (run === undefined || cube === undefined) throw new Error('it has rows')
  return { name, cube, runs: [{ run, cube }] }
}

const rowsOf = (cube: Cube, name: string) =>
  Object.fromEntries(cube.attributes.find((one) => one.name === name)?.values.map((one) => [one.value, one.rows]) ?? [])

describe.each([
  ['an export of Logs Insights', insightsOf],
  ["a console's log", logOf],
])('the cube of %s', (_, write) => {
  it('holds cold and warm invocations, how they ended, and their memory', async () => {
    const rows = invocations(1, 0.05, 0.01)
    const { cube } = await sideOf('a', write(rows))
    const cold = rows.filter(({ initMs }) => initMs !== null).length
    const late = rows.filter(({ status }) => status === 'timeout').length
    expect(cube.rows).toBe(3_000)
    expect(cube.sumMs).toBeCloseTo(
      rows.reduce((sum, { ms }) => sum + ms, 0),
      3,
    )
    expect(rowsOf(cube, 'cold')).toEqual({ warm: 3_000 - cold, cold })
    expect(rowsOf(cube, 'status')).toEqual({ success: 3_000 - late, timeout: late })
    expect(rowsOf(cube, 'error')).toEqual({ '(absent)': 3_000 - late, 'Status: timeout': late })
    expect(rowsOf(cube, 'memory')).toEqual({ '128 MB': 3_000 })
    expect(cube.slices.reduce((sum, slice) => sum + slice.reduce((all, count) => all + count, 0), 0)).toBe(
      write === insightsOf ? 3_000 : 0,
    )
  })

  it('says that more cold starts hold a difference, or that there is none', async () => {
    const base = await sideOf('base', write(invocations(2, 0.02)))
    const more = explainSides(base, await sideOf('head', write(invocations(3, 0.12))))
    expect(more.evidence?.explanation.candidates[0]).toMatchObject({ kind: 'cold-starts', attribute: 'cold' })
    const same = explainSides(base, await sideOf('head', write(invocations(4, 0.02))))
    expect(same.evidence?.explanation.kind).toBe('nothing')
  })

  it('says that invocations time out', async () => {
    const base = await sideOf('base', write(invocations(5, 0.02)))
    const { report } = explainSides(base, await sideOf('head', write(invocations(6, 0.02, 0.04))))
    expect(report.sentence).toContain('timeout')
  })
})
