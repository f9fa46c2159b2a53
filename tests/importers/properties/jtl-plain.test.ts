import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Bytes } from '../../../importers/importer'
import { jmeterCsv } from '../../../importers/jmeter/jmeter-csv'
import { readRaw } from '../../../importers/raw'
import { errorOf } from '../document-text'
import { figuresOf } from './figures'
import { caseCount } from '../../case-count'

const heading =
  'timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect'

/** Mostly one of the first values, as JMeter writes them; sometimes another valid one. */
const mostly = (usual: readonly string[], others: readonly string[]) =>
  fc.oneof(
    { weight: 25, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...usual, ...others) },
  )

const times = [0, 1, 2, 7, 900, 1_000, 1_001, 60_500].map((ms) => String(1_795_311_079_661 + ms))
const numbers = ['0', '1', '36', '127', '1176', '123456789']
const noNumbers = ['', '-1', '1.5', '00012', '1234567890', '12345678901234567', '"7"', 'null', ' 3']

const row = fc
  .tuple(
    mostly(times, [
      '',
      '0',
      '1795311079',
      '2026/11/21 10:00:00.250',
      `${'\0'.repeat(10)}123`,
      '17953110796x1',
      '"1795311079661"',
    ]),
    mostly(numbers, [...noNumbers, '2000000001', 'elapsed']),
    mostly(
      ['items', 'cart', 'a', 'GET /x?y=1', 'items-0', 'items-1', 'items-0-0', 'cart-12'],
      ['', '"a, ""b"""', '"two\nlines"', '"items"', 'äö, x', 'x"y', '-1', '7', 'l'.repeat(5_000)],
    ),
    mostly(
      ['200', '503', '302'],
      ['', '099', '99', '2000', '2x0', '"200"', 'Non HTTP response code: java.net.SocketException'],
    ),
    mostly(
      ['OK', ''],
      [
        'Number of samples in transaction : 2',
        '"Number of samples in transaction : 2, number of failing samples : 0"',
        'Non HTTP response message: reset',
      ],
    ),
    mostly(['shoppers 1-1', 'shoppers 1-2', ''], ['"a, b 1-1"', 'ö']),
    mostly(['text', 'bin', ''], ['"text"', 'te"xt']),
    mostly(['true'], ['false', 'TRUE', '1', '0', 'maybe', '"true"', 'trueish']),
    mostly([''], ['late', '"expected ""200""\nbut"', '"']),
    mostly(numbers, noNumbers),
    mostly(numbers, noNumbers),
    mostly(numbers, noNumbers),
    mostly(numbers, noNumbers),
    mostly(['http://127.0.0.1/items', 'null', ''], ['"http://a/?b=1,2"', 'http://a/?b=1,2']),
    mostly(numbers, noNumbers),
    mostly(['0'], [...numbers, ...noNumbers]),
    mostly(['0', '12'], [...noNumbers, '0,more', '0\r', 'x']),
  )
  .chain((cells) =>
    fc.oneof(
      { weight: 30, arbitrary: fc.constant(cells) },
      { weight: 1, arbitrary: fc.nat(17).map((count) => cells.slice(0, count)) },
    ),
  )
  .map((cells) => cells.join(','))

const ending = fc.constantFrom('\n', '\n', '\r\n')

async function* cut(bytes: Uint8Array, places: readonly number[]): Bytes {
  let from = 0
  for (const place of [...places, bytes.length].map((place) => place % (bytes.length + 1)).sort((a, b) => a - b)) {
    // A copy, so that the bytes after a chunk are not its own.
    yield bytes.slice(from, place)
    from = place
  }
}

/** What is read from a text: its runs, or the error. */
async function read(text: string, places: readonly number[] = []) {
  const reading = readRaw(jmeterCsv, cut(new TextEncoder().encode(text), places))
  const error = await errorOf(reading)
  if (error !== null) return { error: String(error).replace(/: .*/s, '') }
  const { runs, problems } = await reading
  return { runs: runs.map(figuresOf), problems: problems.map(({ code, severity, line }) => ({ code, severity, line })) }
}

describe("rows with JMeter's default columns", () => {
  it('give the same run as under another heading, wherever the bytes are split', async () => {
    // An unread column has another name, so rows are split into fields.
    const otherHeading = heading.replace('IdleTime', 'Idle')
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 60 }),
        ending,
        fc.array(fc.nat(9_000), { maxLength: 6 }),
        fc.boolean(),
        async (rows, end, places, isTorn) => {
          const below = (first: string) => `${first}${end}${rows.join(end)}${isTorn ? '' : end}`
          expect(await read(below(heading), places)).toEqual(await read(below(otherHeading)))
        },
      ),
      { numRuns: caseCount(400) },
    )
  })
})
