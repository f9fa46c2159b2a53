import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readDocument } from '@/importers/document/document'
import { importFile } from '@/importers/index'
import type { Bytes } from '@/importers/importer'
import { lambdaLogFile } from '@/importers/lambda/lambda-log-file'
import { lambdaReport } from '@/importers/lambda/lambda-report'
import { readRaw } from '@/importers/raw'
import type { ImportedFile } from '@/lib/run/run'

async function* inChunks(bytes: Uint8Array, size: number): Bytes {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** What both readers report, without where the run's name comes from. */
const withoutForm = ({ runs, problems, lineCount }: ImportedFile) => ({
  lineCount,
  problems,
  runs: runs.map(({ form: _form, proposal, context, ...run }) => ({
    ...run,
    lines: context.lines,
    scenario: proposal.scenario,
  })),
})

const root = join(import.meta.dirname, '../fixtures')
const logs = ['lambda-report', 'lambda-log-file'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.log'))
    .map((name) => ({ name, bytes: readFileSync(join(root, folder, name)) })),
)
const id = (number: number) => `0b109d1b-94d0-469b-90f5-${number.toString(16).padStart(12, '0')}`
const report = (number: number, rest = '') =>
  `REPORT RequestId: ${id(number)}\tDuration: ${number}.25 ms\tBilled Duration: ${number + 1} ms\tMemory Size: 128 MB\tMax Memory Used: 70 MB\t${rest}`

describe('lambdaLogFile', () => {
  it.each(logs)('reads $name as lambda-report does', async ({ bytes }) => {
    const expected = withoutForm(await readDocument(inChunks(bytes, 65_536), [lambdaReport]))
    for (const size of [13, 1_000, 65_536])
      expect(withoutForm(await readRaw(lambdaLogFile, inChunks(bytes, size)))).toEqual(expected)
  })

  it('reads odd lines as lambda-report does', async () => {
    const odd = [
      'START RequestId: x',
      report(1),
      report(1),
      report(2).replaceAll('\t', ' '),
      'Init Duration: 12.5 ms',
      report(3).replace('3.25', '3.'),
      report(4, 'Init Duration: 211.05 ms\tStatus: error\tError Type: Runtime.ExitError\t'),
      report(5, 'Init Duration: 1.5 ms\t\r'),
      `2026-11-21T02:00:04.974Z\t${id(5)}\tTask timed out after 3.00 seconds`,
      'REPORT RequestId: is what to look for',
      `   ${report(6)}`,
      report(7).slice(0, 90),
      report(7).slice(90),
      'log group: /aws/lambda/orders',
      report(8).replace('8.25', '123456789.1234'),
      'END Duration: 12.50 ms (init: 211.05 ms) Memory Used: 71 MB',
      'REPORT\tDuration: 13.10 ms\tBilled Duration: 14 ms',
      'Duration: 14.20 ms\tBilled Duration: 15 ms',
      'ms\tMemory Size: 128 MB\tMax Memory Used: 58 MB\t',
      report(9).replace(id(9), '11111111-1111-1111-1111-111111111111'),
      report(9).replace(id(9), '11111111-1111-1111-1111-111111111111'),
      report(9),
    ].join('\n')
    for (const text of [odd, `${odd}\n`, odd.slice(0, -20)])
      expect(withoutForm(await readRaw(lambdaLogFile, inChunks(Buffer.from(text), 17)))).toEqual(
        withoutForm(await readDocument(inChunks(Buffer.from(text), 65_536), [lambdaReport])),
      )
  })

  it('accepts long logs only, and no documents', async () => {
    const long = Array.from({ length: 600 }, (_, number) => report(number)).join('\n')
    const formOf = async (text: string) => (await importFile(inChunks(Buffer.from(text), 65_536))).runs[0]?.form
    expect(await formOf(long)).toBe('lambda-log-file')
    expect(await formOf(long.slice(0, 60_000))).toBe('lambda-report')
    expect(await formOf(`# Results\n\n${long}`)).toBe('lambda-report')
    expect(await formOf(long.replace('\n', '\n```\n'))).toBe('lambda-report')
  })

  it("says so if another tool's report is further down", async () => {
    const long = Array.from({ length: 600 }, (_, number) => report(number)).join('\n')
    const { problems } = await importFile(
      inChunks(Buffer.from(`${long}\nRunning 10s test @ http://127.0.0.1/\n`), 65_536),
    )
    expect(problems).toMatchObject([{ code: 'not-imported', line: 601 }])
  })
})
