import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

/** Argon2id with 19 MiB, 2 passes, 1 lane: OWASP's Password Storage Cheat Sheet, 2024. */
const argon2Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Scrypt with 32 MiB, 3 lanes: the same sheet. Its N is 2 to the power of `ln`. */
const scryptOptions = { ln: 15, r: 8, p: 3 }
const scryptBytes = { salt: 16, key: 32 }

/** Passwords were hashed by argon2, whose binary this machine does not have. */
export class NoArgon2Error extends Error {
  constructor() {
    super(
      'Its password was stored with argon2, and the package @node-rs/argon2 is not installed here, or has no binary for this machine. Install it and restart, or give the account another password: tailboard password EMAIL.',
    )
  }
}

/** Its binary depends on the processor; null: there is none for this one, or it was not installed. */
const loadArgon2 = () => import('@node-rs/argon2').catch(() => null)

/** Whether hashes of argon2 can be verified here. */
export const hasArgon2 = async (): Promise<boolean> => (await loadArgon2()) !== null

/** How they begin. */
export const argon2Prefix = '$argon2'

/** Hashes a text with argon2, or where that is not installed with scrypt. */
export async function hashText(text: string): Promise<string> {
  const argon2 = await loadArgon2()
  if (argon2 !== null) return argon2.hash(text, argon2Options)
  const { ln, r, p } = scryptOptions
  const salt = randomBytes(scryptBytes.salt)
  const key = await deriveKey(text, salt, scryptOptions)
  return `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(key)}`
}

/** Whether a text is that of a hash, made by either. Throws NoArgon2Error. */
export async function verifyText(hash: string, text: string): Promise<boolean> {
  const [, ln, r, p, salt = '', key = ''] =
    /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/.exec(hash) ?? []
  if (key !== '') {
    const stored = Buffer.from(key, 'base64')
    const derived = await deriveKey(text, Buffer.from(salt, 'base64'), { ln: Number(ln), r: Number(r), p: Number(p) })
    return stored.length === derived.length && timingSafeEqual(stored, derived)
  }
  const argon2 = await loadArgon2()
  if (argon2 === null) throw new NoArgon2Error()
  return argon2.verify(hash, text)
}

/** As PHC strings write it. */
const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/={1,2}$/, '')

function deriveKey(text: string, salt: Buffer, { ln, r, p }: typeof scryptOptions): Promise<Buffer> {
  const N = 2 ** ln
  const options: ScryptOptions = { N, r, p, maxmem: 128 * N * r + 1024 * 1024 }
  return new Promise((resolve, reject) => {
    scrypt(text, salt, scryptBytes.key, options, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
}
