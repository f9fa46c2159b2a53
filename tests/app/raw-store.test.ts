import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readSettings } from '@/app/_server/settings'
import { BucketStore } from '@/app/_server/store/bucket-store'
import { FolderStore } from '@/app/_server/store/folder-store'
import { sweptAtOnce, type RawStore } from '@/app/_server/store/raw-store'
import { StoreError } from '@/app/_server/store/store-error'
import { startBucket, type TestBucket } from '../s3-server'

const bytes = (text: string) => new TextEncoder().encode(text)
const HELLO_SHA256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'
const sha256Of = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
/** Old enough that even a store with whole-second times considers everything older. */
const anyAge = -2_000

const only =
  (...needed: readonly string[]) =>
  () =>
    Promise.resolve(new Set(needed))
const all = (sha256s: readonly string[]) => Promise.resolve(new Set(sha256s))

const ends: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(ends.map((end) => end())))

async function newFolder(): Promise<RawStore> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tailboard-raw-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  return new FolderStore(folder)
}

async function newBucket(): Promise<{ readonly store: RawStore; readonly bucket: TestBucket }> {
  const bucket = await startBucket()
  ends.push(() => bucket.stop())
  // The SDK reads them from there.
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) process.env[name] ??= bucket.env[name]
  const { bucket: settings } = readSettings(bucket.env)
  if (settings === null) throw new Error('The settings name no bucket.')
  return { store: new BucketStore(settings), bucket }
}

async function readAll(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts)
}

async function put(store: RawStore, content: Buffer | string, chunkBytes = 65_536): Promise<string> {
  const whole = Buffer.from(content)
  const writer = await store.create()
  for (let at = 0; at < whole.length; at += chunkBytes) await writer.write(whole.subarray(at, at + chunkBytes))
  await writer.sync()
  const sha256 = sha256Of(whole)
  expect(await writer.keep(sha256)).toEqual({ sizeBytes: whole.length })
  return sha256
}

/** More than two parts of a bucket, and more than the disk queue holds. */
const large = randomBytes(12 * 1024 ** 2 + 17)

describe.each([
  ['in a folder', newFolder],
  ['in a bucket', async () => (await newBucket()).store],
])('the raw store %s', (_where, open) => {
  it('keeps bytes under their SHA-256', async () => {
    const store = await open()
    expect(await store.isEmpty()).toBe(true)
    const writer = await store.create()
    await writer.write(bytes('hel'))
    await writer.write(bytes('lo'))
    expect((await readAll((await writer.stored()).read(1, 4))).toString()).toBe('ell')
    await writer.sync()
    expect(await writer.keep(HELLO_SHA256)).toEqual({ sizeBytes: 5 })
    expect((await readAll(store.read(HELLO_SHA256))).toString()).toBe('hello')
    expect(await store.sizeBytes(HELLO_SHA256)).toBe(5)
    expect((await readAll((await store.stored(HELLO_SHA256)).read(1, 3))).toString()).toBe('el')
    expect([await store.has(HELLO_SHA256), await store.has('0'.repeat(64))]).toEqual([true, false])
    expect(await store.isEmpty()).toBe(false)
    await store.check()
  })
  it('accepts more than it buffers at once, in order, and returns any part of it', async () => {
    const store = await open()
    const writer = await store.create()
    for (let at = 0; at < large.length; at += 100_003) await writer.write(large.subarray(at, at + 100_003))
    const before = await writer.stored()
    expect((await readAll(before.read(large.length - 9, large.length))).equals(large.subarray(-9))).toBe(true)
    await writer.sync()
    const sha256 = sha256Of(large)
    expect(await writer.keep(sha256)).toEqual({ sizeBytes: large.length })
    expect(sha256Of(await readAll(store.read(sha256)))).toBe(sha256)
    const stored = await store.stored(sha256)
    const middle = await readAll(stored.read(6_000_000, 6_000_100))
    expect(middle.equals(large.subarray(6_000_000, 6_000_100))).toBe(true)
    for await (const _first of store.read(sha256)) break // a reader that stops early
    expect(await store.sweep(only(sha256), anyAge, anyAge)).toBe(0) // no other file is left
  })
  it('leaves nothing of discarded bytes, and keeps stored ones', async () => {
    const store = await open()
    for (const content of [Buffer.from('gone'), large]) {
      for (const isWhole of [false, true]) {
        const dropped = await store.create()
        await dropped.write(content.subarray(0, 6_000_000))
        await dropped.write(content.subarray(6_000_000))
        if (isWhole) await dropped.sync()
        await dropped.discard()
      }
    }
    expect(await store.isEmpty()).toBe(true)
    expect(await store.sweep(only(), anyAge, anyAge)).toBe(0)
    const kept = await store.create()
    await kept.write(bytes('hello'))
    await kept.sync()
    await kept.keep(HELLO_SHA256)
    await kept.discard()
    expect(await store.has(HELLO_SHA256)).toBe(true)
  })
  it('stores the same bytes once from two concurrent writers', async () => {
    const store = await open()
    await Promise.all([put(store, 'hello'), put(store, 'hello')])
    expect(await store.sweep(only(), anyAge)).toBe(1)
    expect(await store.isEmpty()).toBe(true)
  })
  it('sweeps what is unreferenced and old, and nothing else', async () => {
    const store = await open()
    await put(store, 'hello')
    const other = await put(store, 'other')
    expect(await store.sweep(only(), 3_600_000)).toBe(0)
    expect(await store.sweep(only(HELLO_SHA256), anyAge)).toBe(1)
    expect([await store.has(HELLO_SHA256), await store.has(other)]).toEqual([true, false])
  })
  it('stores an empty file as an empty file', async () => {
    const store = await open()
    const sha256 = await put(store, '')
    expect(await store.sizeBytes(sha256)).toBe(0)
    expect((await readAll(store.read(sha256))).length).toBe(0)
  })
  it('refuses invalid addresses', async () => {
    const store = await open()
    await expect(readAll(store.read('../../etc/passwd'))).rejects.toThrow(/Not a SHA-256/)
    await expect(readAll(store.read('0'.repeat(64)))).rejects.toThrow()
  })
})

describe('a folder', () => {
  it('sweeps by the age of each file, including unfinished ones', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'tailboard-raw-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    const store = new FolderStore(folder)
    const sha256 = await put(store, 'old')
    await put(store, 'young')
    await utimes(path.join(folder, sha256.slice(0, 2), sha256), new Date(0), new Date(0))
    const left = await store.create()
    await left.write(bytes('left'))
    await left.sync()
    const [name = ''] = await readdir(path.join(folder, 'incoming'))
    await utimes(path.join(folder, 'incoming', name), new Date(0), new Date(0))
    expect(await store.sweep(only(), 3_600_000)).toBe(2)
  })
})

describe('a folder of thousands', () => {
  it('is swept by at most a thousand files at once, each asked for once', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'tailboard-raw-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    const names = Array.from({ length: 2_500 }, (_, at) => sha256Of(`${at}`))
    for (const name of names) {
      await mkdir(path.join(folder, name.slice(0, 2)), { recursive: true })
      await writeFile(path.join(folder, name.slice(0, 2), name), '')
    }
    const asked: string[][] = []
    const needsEven = (sha256s: readonly string[]) => {
      asked.push([...sha256s])
      return Promise.resolve(new Set(sha256s.filter((sha256) => /[02468ace]$/.test(sha256))))
    }
    const even = names.filter((name) => /[02468ace]$/.test(name))
    expect(await new FolderStore(folder).sweep(needsEven, anyAge)).toBe(names.length - even.length)
    expect(asked.flat().toSorted()).toEqual(names.toSorted())
    expect(Math.max(...asked.map((some) => some.length))).toBe(sweptAtOnce)
    expect((await readdir(folder, { recursive: true })).filter((name) => name.length > 2)).toHaveLength(even.length)
  })
})

describe('a bucket', () => {
  it('that is unavailable is reported as such, and half an upload is never visible', async () => {
    const { store, bucket } = await newBucket()
    const writer = await store.create()
    await writer.write(large.subarray(0, 6_000_000))
    bucket.goAway()
    const rest = async () => {
      await writer.write(large.subarray(6_000_000))
      await writer.sync()
    }
    await expect(rest()).rejects.toThrow(StoreError)
    await writer.discard()
    await expect(store.check()).rejects.toThrow(/ECONNRESET|ECONNREFUSED|socket hang up|TimeoutError/)
    await expect(store.has(HELLO_SHA256)).rejects.toThrow(StoreError)
    await expect(put(store, 'hello')).rejects.toThrow(StoreError)
    bucket.comeBack()
    await put(store, 'hello')
    expect(await store.has(sha256Of(large))).toBe(false)
    // fauxqs does not list unfinished uploads; other servers do.
    const listed = process.env.TAILBOARD_TEST_S3_ENDPOINT === undefined ? 0 : 1
    expect(await store.sweep(all, anyAge, anyAge)).toBe(listed)
  })
  it('that does not exist is a refusal', async () => {
    const { bucket } = await newBucket()
    const { bucket: settings } = readSettings({ ...bucket.env, TAILBOARD_S3_BUCKET: 'no-such-bucket' })
    if (settings === null) throw new Error('The settings name no bucket.')
    await expect(new BucketStore(settings).check()).rejects.toMatchObject({ isRefusal: true })
  })
})
