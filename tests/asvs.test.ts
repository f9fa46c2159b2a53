import { readFileSync, readdirSync, existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { allOperations } from '../app/_server/openapi/all-operations'
import packageJson from '../package.json'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** Level 1 of ASVS 5.0.0: chapter.section, and the numbers of its requirements. */
const level1: Readonly<Record<string, readonly number[]>> = {
  ...{ '1.2': [1, 2, 3, 4, 5], '1.3': [1, 2], '1.5': [1], '2.1': [1], '2.2': [1, 2], '2.3': [1] },
  ...{ '3.2': [1, 2], '3.3': [1], '3.4': [1, 2], '3.5': [1, 2, 3], '4.1': [1], '4.4': [1], '5.2': [1, 2] },
  ...{ '5.3': [1, 2], '6.1': [1], '6.2': [1, 2, 3, 4, 5, 6, 7, 8], '6.3': [1, 2], '6.4': [1, 2] },
  ...{ '7.2': [1, 2, 3, 4], '7.4': [1, 2], '8.1': [1], '8.2': [1, 2], '8.3': [1], '9.1': [1, 2, 3], '9.2': [1] },
  ...{ '10.4': [1, 2, 3, 4, 5], '11.3': [1, 2], '11.4': [1], '12.1': [1], '12.2': [1, 2], '13.4': [1] },
  ...{ '14.2': [1], '14.3': [1], '15.1': [1], '15.2': [1], '15.3': [1] },
}
const ids = Object.entries(level1).flatMap(([section, numbers]) => numbers.map((number) => `V${section}.${number}`))

/** Rows of the table: id, description, tests as file and words from the name. */
const rows = read('docs/asvs.md')
  .split('\n')
  .filter((line) => line.startsWith('| V'))
  .map((line) => {
    const [, id = '', here = '', tests = ''] = line.split('|').map((cell) => cell.trim())
    const named = [...tests.matchAll(/`([^`]+)`: ([^·]+)/g)].map(([, file = '', name = '']) => ({
      file,
      name: name.trim(),
    }))
    return { id, here, named }
  })

describe('the table of ASVS', () => {
  it('has a row for each level 1 requirement, and no other', () => {
    expect(ids).toHaveLength(70)
    expect(rows.map(({ id }) => id)).toEqual(ids)
  })
  it('names existing tests for each requirement that applies', () => {
    const missing = rows.flatMap(({ id, here, named }) => {
      if (here.startsWith('not applicable: ')) return []
      if (named.length === 0) return [`${id}: no test`]
      return named
        .filter(
          ({ file, name }) => !existsSync(path.join(root, 'tests', file)) || !read(`tests/${file}`).includes(name),
        )
        .map(({ file, name }) => `${id}: ${file}: ${name}`)
    })
    expect(missing).toEqual([])
  })
})

const sources = ['app', 'components', 'importers', 'lib', 'prisma'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('generated'))
    .map((file) => `${folder}/${file}`),
)

/** What no source of the server or its pages may contain. */
const forbidden = {
  'code made of text': /\beval\(|new Function\(|node:vm|setTimeout\(['"`]/,
  'commands of the system': /child_process/,
  'queries made of text': /\$(?:query|execute)RawUnsafe|Prisma\.raw\(/,
  'weak hashes': /\b(?:md5|sha1|md4|ripemd)\b/i,
  'weak ciphers': /aes-\d+-(?:ecb|cbc|ctr)|des-(?:ede3|ecb|cbc)|\brc4\b|createCipher\(/i,
  'script in pages': /document\.write|insertAdjacentHTML|\.innerHTML\s*=/,
} as const

/** They put column names into queries, from our own tables. */
const ours = [
  'rows/figure-columns.ts',
  'search/run-pasts.ts',
  'statements/insert-rows.ts',
  'statements/read-rows.ts',
].map((file) => `prisma/${file}`)

describe('what level 1 requires of sources and documentation', () => {
  it('the sources use nothing that builds code, commands or queries from text, and no weak cryptography', () => {
    expect(sources.length).toBeGreaterThan(500)
    const found = sources.flatMap((file) => {
      const text = read(file)
      return Object.entries(forbidden)
        .filter(([what, pattern]) => pattern.test(text) && !(what === 'queries made of text' && ours.includes(file)))
        .map(([what]) => `${what}: ${file}`)
    })
    expect(found).toEqual([])
  })
  it('every change has its own method: a GET of the API changes nothing', () => {
    const routes = sources.filter((file) => file.endsWith('/route.ts'))
    expect(routes.length).toBeGreaterThan(60)
    expect(routes.filter((file) => /export const (?:GET|HEAD) = mutation/.test(read(file)))).toEqual([])
    const described = Object.entries(allOperations)
    expect(described.filter(([key, one]) => key.startsWith('GET ') && 'audit' in one)).toEqual([])
  })
  it('a raw upload is served as a file to save, never as a page', () => {
    const route = read('app/_server/operations/runs/uploads.ts')
    expect(route).toMatch(/attachment/)
    expect(route).not.toMatch(/text\/html/)
  })
  it('no response of an account holds a hash', () => {
    const types = read('lib/account/account.ts')
    expect(types).not.toMatch(/passwordHash|tokenSha256|secretSha256/)
  })
  it('the documentation says how sign-ins are limited, and how long that locks an account', () => {
    expect(read('docs/operate.md')).toMatch(/\*\*Attempts to sign in\.\*\*[^]*five tries a minute and 20 an hour/)
    const source = read('app/_server/accounts/sign-in.ts')
    expect(source).toContain('points: 5, seconds: 60')
    expect(source).toContain('points: 20, seconds: 3_600')
    expect(source).toContain('points: 32, seconds: 60')
  })
  it('the documentation says where TLS ends, and which versions to allow', () => {
    expect(read('docs/operate.md')).toMatch(/\*\*TLS\*\* ends at the proxy: allow 1\.2 and 1\.3 only/)
  })
  it('the documentation says when libraries are updated', () => {
    expect(read('docs/security.md')).toMatch(/within 7 days[^]*30 days[^]*90 days/)
  })
  it('each dependency is pinned to one version, installed by its checksum', () => {
    const { dependencies, devDependencies } = packageJson
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      expect(version, name).toMatch(/^(?:npm:[a-z]+@)?\d+\.\d+\.\d+$/)
    const lock = z.object({
      packages: z.record(z.string(), z.object({ resolved: z.string().optional(), integrity: z.string().optional() })),
    })
    const { packages } = lock.parse(JSON.parse(read('package-lock.json')))
    const unsure = Object.entries(packages).filter(([name, own]) => name.startsWith('node_modules/') && !own.integrity)
    expect(unsure.map(([name]) => name)).toEqual([])
  })
})
