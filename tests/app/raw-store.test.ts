import { createHash } from 'node:crypto'
import { mkdtemp, readdir, utimes } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderStore } from '@/app/_server/uploads/raw-store'

const bytes = (text: string) => new TextEncoder().encode(text)
const HELLO_SHA256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'

async function newStore() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tailboard-raw-'))
  const files = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
  return { folder, store: folderStore(folder), files }
}

async function readAll(source: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts).toString()
}

describe('folderStore', () => {
  it('keeps bytes under their SHA-256', async () => {
    const { store, files } = await newStore()
    const writer = await store.create()
    await writer.write(bytes('hel'))
    await writer.write(bytes('lo'))
    expect(await readAll((await writer.stored()).read(1, 4))).toBe('ell')
    await writer.sync()
    expect(await writer.keep(HELLO_SHA256)).toEqual({ sizeBytes: 5 })
    expect(await readAll(store.read(HELLO_SHA256))).toBe('hello')
    expect(await store.sizeBytes(HELLO_SHA256)).toBe(5)
    expect([await store.has(HELLO_SHA256), await store.has('0'.repeat(64))]).toEqual([true, false])
    expect(await files()).toEqual([HELLO_SHA256])
  })
  it('leaves nothing of what is discarded, and keeps what was kept', async () => {
    const { store, files } = await newStore()
    const dropped = await store.create()
    await dropped.write(bytes('gone'))
    await dropped.discard()
    expect(await files()).toEqual([])
    const kept = await store.create()
    await kept.write(bytes('hello'))
    await kept.sync()
    await kept.keep(HELLO_SHA256)
    await kept.discard()
    expect(await files()).toEqual([HELLO_SHA256])
  })
  it('takes more than waits for the disk at a time, in order', async () => {
    const { store } = await newStore()
    const writer = await store.create()
    const parts = Array.from({ length: 50 }, (_, index) => Buffer.alloc(100_003, index))
    for (const part of parts) await writer.write(part)
    const whole = Buffer.concat(parts)
    const sha256 = createHash('sha256').update(whole).digest('hex')
    await writer.sync()
    expect(await writer.keep(sha256)).toEqual({ sizeBytes: whole.length })
    const hash = createHash('sha256')
    for await (const chunk of store.read(sha256)) hash.update(chunk)
    expect(hash.digest('hex')).toBe(sha256)
  })
  it('stores the same bytes once, from two writers at a time', async () => {
    const { store, files } = await newStore()
    const writers = await Promise.all([store.create(), store.create()])
    await Promise.all(writers.map((writer) => writer.write(bytes('hello'))))
    await Promise.all(writers.map((writer) => writer.sync()))
    await Promise.all(writers.map((writer) => writer.keep(HELLO_SHA256)))
    expect(await files()).toEqual([HELLO_SHA256])
  })
  it('sweeps what nobody names and is old, and nothing else', async () => {
    const { folder, store, files } = await newStore()
    for (const text of ['hello', 'young', 'old']) {
      const writer = await store.create()
      await writer.write(bytes(text))
      const sha256 = createHash('sha256').update(text).digest('hex')
      await writer.sync()
      await writer.keep(sha256)
      if (text !== 'young') await utimes(path.join(folder, sha256.slice(0, 2), sha256), new Date(0), new Date(0))
    }
    expect(await store.sweep((sha256) => sha256 === HELLO_SHA256, 3_600_000)).toBe(1)
    expect((await files()).length).toBe(2)
  })
  it('refuses addresses that are none', async () => {
    const { store } = await newStore()
    await expect(readAll(store.read('../../etc/passwd'))).rejects.toThrow(/Not a SHA-256/)
    await expect(readAll(store.read('0'.repeat(64)))).rejects.toThrow()
  })
})
