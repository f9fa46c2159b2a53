import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import common from '@/app/_server/accounts/common-passwords.json'
import { hashPassword, isPassword } from '@/app/_server/accounts/password'

const email = 'ada@example.com'

describe('a new password', () => {
  it('must not be a common one, in any case', async () => {
    for (const password of ['qwerty123456', 'QWERTY123456', '1qaz2wsx3edc', 'Motherfucker', '123456789qwe'])
      await expect(hashPassword(password, email), password).rejects.toThrow('lists of common passwords')
  })
  it('is checked against 5,000 of at least 12 characters', () => {
    const { sha256Starts, digitsOfEach } = common
    const starts = sha256Starts.match(/[0-9a-f]{10}/g) ?? []
    expect(digitsOfEach).toBe(10)
    expect(new Set(starts).size).toBe(5_000)
    expect(starts.join('')).toBe(sha256Starts)
    const own = createHash('sha256').update('qwerty123456').digest('hex').slice(0, digitsOfEach)
    expect(starts).toContain(own)
  })
  it.each(['short', 'ada@example.com', 'aaaabbbbaaaabbbb', 'x'.repeat(257)])('%s is refused', async (password) => {
    await expect(hashPassword(password, email)).rejects.toThrow()
  })
  it('may contain any characters, up to 256 of them, and is verified as it was given', async () => {
    for (const password of [
      'only lower case words',
      'ünïcödé 🐎 战马 staple',
      '"; DROP TABLE account; --',
      `${'long '.repeat(51)}!`,
    ]) {
      const stored = await hashPassword(password, email)
      expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      expect(await isPassword(password, stored), password).toBe(true)
      expect(await isPassword(password.toUpperCase(), stored)).toBe(false)
      expect(await isPassword(password.slice(0, -1), stored)).toBe(false)
    }
  })
})

describe('where argon2 is not installed', () => {
  const without = async <T>(act: () => Promise<T>): Promise<T> => {
    vi.doMock('@node-rs/argon2', () => {
      throw new Error('no binary for this processor')
    })
    try {
      return await act()
    } finally {
      vi.doUnmock('@node-rs/argon2')
    }
  }

  it('passwords are hashed with scrypt, which reads everywhere', async () => {
    const password = 'ünïcödé 🐎 战马 staple'
    const stored = await without(() => hashPassword(password, email))
    expect(stored).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/)
    for (const read of [without, <T>(act: () => Promise<T>) => act()]) {
      expect(await read(() => isPassword(password, stored))).toBe(true)
      expect(await read(() => isPassword(password.toUpperCase(), stored))).toBe(false)
    }
  })

  it('one of argon2 is not called wrong: what is missing is named', async () => {
    const stored = await hashPassword('only lower case words', email)
    await expect(without(() => isPassword('only lower case words', stored))).rejects.toThrow('@node-rs/argon2')
  })
})
