import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { prepareColdStarts } from '@/components/run/figures/cold-starts'
import { importFile } from '@/importers/index'

async function read(fixture: string) {
  const { runs } = await importFile(createReadStream(join(import.meta.dirname, '../fixtures', fixture)))
  return runs[0] ?? expect.fail('no run')
}

/** Units follow a no-break space. */
const plain = (text: string | undefined) => text?.replace(/\s/g, ' ')

describe('prepareColdStarts', () => {
  it('shows share, init and both durations', async () => {
    const cold = prepareColdStarts(await read('lambda-log-file/report.log'))
    expect(plain(cold?.summary)).toBe('8 of 300 invocations (2.67 %)')
    expect(cold?.shareRatio).toBeCloseTo(8 / 300, 12)
    // The truth file has p50 and max of INIT; eight values have no p99.
    expect(cold?.rows.map(({ key, values }) => [key, ...values.map(plain)])).toEqual([
      ['Init', '8', '445 ms', '–', '546 ms'],
      ['Cold duration', '8', expect.any(String), '–', '170 ms'],
      ['Warm duration', '292', expect.any(String), expect.stringMatching(/ms$/), expect.any(String)],
    ])
    // 7,714 ms billed for 4,529.6 ms of duration; 93 MB of 128.
    expect(cold?.facts.map(({ text }) => plain(text))).toEqual(['+70.3 %', '93 of 128 MB'])
  })

  it('counts restores from a snapshot as cold', async () => {
    const cold = prepareColdStarts(await read('lambda-report/snapstart.log'))
    expect(plain(cold?.summary)).toBe('15 of 90 invocations (16.67 %), 15 restored from a snapshot')
    expect(cold?.rows.map(({ key }) => key)).toEqual(['Restore', 'Cold duration', 'Warm duration'])
  })

  it('is null for one invocation, and for other tools', async () => {
    expect(prepareColdStarts(await read('lambda-json/invoke-tail.json'))).toBeNull()
    expect(prepareColdStarts(await read('hey-text/one-response.txt'))).toBeNull()
  })
})
