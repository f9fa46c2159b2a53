import { expect, it } from 'vitest'
import type { Said, ToRead } from '@/viewer/reader'
import { createReader, type ViewedFile } from '@/viewer/read-files'

/** A thread whose file `dies.bin` ends it. */
function makeWorker(started: Worker[]): Worker {
  const worker = {
    onmessage: null as ((event: { data: Said }) => void) | null,
    onerror: null as ((event: { preventDefault: () => void }) => void) | null,
    terminate: () => undefined,
    postMessage: ({ id, file }: ToRead) =>
      void file.text().then((text) => {
        if (text === 'dies') worker.onerror?.({ preventDefault: () => undefined })
        else worker.onmessage?.({ data: { id, kind: 'failed', sentence: `read ${text}`, isNoResult: false } })
      }),
  }
  started.push(worker as unknown as Worker)
  return worker as unknown as Worker
}

const fileOf = (id: number, name: string, text: string): ViewedFile => ({
  ...{ id, name, bytes: new File([text], name), folder: null },
  state: { kind: 'reading', readBytes: 0 },
})

it('goes on in a new thread when one dies, and names the command line', async () => {
  const started: Worker[] = []
  const reader = createReader(() => makeWorker(started))
  const said: string[] = []
  const read = (file: ViewedFile) =>
    new Promise<void>((resolve) =>
      reader.read(file, (state) => {
        if (state.kind === 'failed') said.push(state.sentence)
        resolve()
      }),
    )
  await Promise.all([fileOf(1, 'a.txt', 'a'), fileOf(2, 'dies.bin', 'dies'), fileOf(3, 'b.txt', 'b')].map(read))
  expect(said).toEqual(['read a', expect.stringMatching(/^The reader ended .*tailboard show dies\.bin$/), 'read b'])
  expect(started).toHaveLength(2)
})

it('leaves files over 500 MB to the command line', () => {
  const reader = createReader(() => {
    throw new Error('no thread is needed')
  })
  const states: ViewedFile['state'][] = []
  const big = fileOf(1, 'big.csv', '')
  Object.defineProperty(big.bytes, 'size', { value: 501 * 1024 ** 2 })
  reader.read(big, (state) => void states.push(state))
  const sentence = 'This file is larger than 500 MB. The command line reads it: tailboard show big.csv'
  expect(states).toEqual([{ kind: 'failed', sentence, isNoResult: false }])
})
