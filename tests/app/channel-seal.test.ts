import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isSealed, readChannelKey, seal, unseal } from '@/app/_server/alerts/channel-seal'
import { readSettings } from '@/app/_server/settings'

let dataFolder = ''
beforeEach(async () => {
  dataFolder = await mkdtemp(path.join(tmpdir(), 'tailboard-seal-'))
})
afterEach(() => rm(dataFolder, { recursive: true, force: true }))

const secretKey = 'k'.repeat(32)
const plain = 'https://hooks.example.com/T000/B000/päth'

describe('a sealed text', () => {
  it('reveals nothing, is different each time, and opens only with its key and project', async () => {
    const key = await readChannelKey({ secretKey, dataFolder })
    const sealed = seal(plain, 'project-a', key)
    expect(isSealed(sealed)).toBe(true)
    expect(sealed).not.toContain('hooks')
    expect(seal(plain, 'project-a', key)).not.toBe(sealed)
    expect(unseal(sealed, 'project-a', key)).toBe(plain)
    expect(() => unseal(sealed, 'project-b', key)).toThrow(/cannot be decrypted with the key/)
    const other = await readChannelKey({ secretKey: 'o'.repeat(32), dataFolder })
    expect(() => unseal(sealed, 'project-a', other)).toThrow(/cannot be decrypted with the key/)
  })

  it('that was changed or truncated anywhere does not open', async () => {
    const key = await readChannelKey({ secretKey, dataFolder })
    const bytes = Buffer.from(seal(plain, 'p', key).slice('sealed:1:'.length), 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => unseal(`sealed:1:${changed.toString('base64url')}`, 'p', key), `byte ${at}`).toThrow(
        /cannot be decrypted/,
      )
      const cut = bytes.subarray(0, at).toString('base64url')
      expect(() => unseal(`sealed:1:${cut}`, 'p', key), `cut at ${at}`).toThrow(/cannot be decrypted/)
    }
  })

  it('a text that was never sealed is returned unchanged', async () => {
    expect(isSealed('v1.alerts@example.com')).toBe(false)
    expect(unseal(plain, 'p', await readChannelKey({ secretKey, dataFolder }))).toBe(plain)
  })
})

describe('the key', () => {
  it('is created once in the data folder, readable by its owner only, even by concurrent callers', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => readChannelKey({ secretKey: null, dataFolder })))
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
    const file = path.join(dataFolder, 'channel.key')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readFile(file, 'utf8')).trim()).toHaveLength(43)
    expect(await readChannelKey({ secretKey, dataFolder })).not.toEqual(keys[0])
  })

  it('a truncated file is refused, not replaced', async () => {
    await writeFile(path.join(dataFolder, 'channel.key'), 'abc')
    await expect(readChannelKey({ secretKey: null, dataFolder })).rejects.toThrow(/does not contain a key: restore it/)
  })

  it('TAILBOARD_SECRET_KEY shorter than 32 characters prevents the start', () => {
    expect(() => readSettings({ TAILBOARD_SECRET_KEY: 'short' })).toThrow(/shorter than 32 characters/)
    expect(readSettings({ TAILBOARD_SECRET_KEY: secretKey }).secretKey).toBe(secretKey)
    expect(readSettings({}).secretKey).toBeNull()
  })
})
