import { closeSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'

/**
 * Writes a log of `rows` invocations in the layout of Lambda's console (one in four with an extra line); returns its
 * path.
 */
export function writeLambdaLog(folder: string, rows: number): string {
  const file = path.join(folder, 'lambda.log')
  const target = openSync(file, 'w')
  let text = ''
  for (let row = 0; row < rows; row++) {
    // Ids are spread over the hash table like random ones.
    const spread = Math.imul(row + 1, 0x9e3779b1) >>> 0
    const id = `${hex(spread, 8)}-${hex(spread >>> 16, 4)}-4${hex(row & 0xfff, 3)}-8${hex(spread & 0xfff, 3)}-${hex(row, 12)}`
    const ms = (200 + (spread % 5_000)) / 100
    const init = row % 100 === 0 ? 'Init Duration: 389.75 ms\t' : ''
    text += `START RequestId: ${id} Version: $LATEST\n`
    if (row % 4 === 0) text += `2026-11-21T02:00:00.000Z\t${id}\tINFO\tquery took Duration: 3.21 ms\n`
    text += `END RequestId: ${id}\nREPORT RequestId: ${id}\tDuration: ${ms.toFixed(2)} ms\tBilled Duration: ${Math.ceil(ms)} ms\tMemory Size: 128 MB\tMax Memory Used: 70 MB\t${init}\n`
    if (text.length > 1 << 20) {
      writeSync(target, text)
      text = ''
    }
  }
  writeSync(target, text)
  closeSync(target)
  return file
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0').slice(-digits)
}
