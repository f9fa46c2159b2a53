import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'

/** For packages that do not state one: read from their files. */
const unstated: Readonly<Record<string, string>> = { 'color-convert': 'MIT', 'seq-queue': 'MIT' }
/**
 * Licences that allow use in, and distribution with, a program under another licence; LGPL only as a separate library,
 * like sharp.
 */
const allowed =
  /^(?:MIT|MIT-0|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|Unlicense|CC0-1\.0|CC-BY-4\.0|BlueOak-1\.0\.0|OFL-1\.1|Zlib|EPL-2\.0|LGPL-3\.0-or-later)$/

const file = 'docs/licences.md'
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().optional(), devOptional: z.boolean().optional(), license: z.string().optional() }),
  ),
})

/** Names of packages needed to run Tailboard, not to develop it, by licence. */
function licences(): ReadonlyMap<string, readonly string[]> {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')))
  const found = new Map<string, Set<string>>()
  for (const [path, { dev, devOptional, license }] of Object.entries(packages)) {
    const name = path.split('node_modules/').at(-1) ?? ''
    if (name === '' || dev === true || devOptional === true) continue
    const own = license ?? unstated[name] ?? 'unknown'
    found.set(own, (found.get(own) ?? new Set<string>()).add(name))
  }
  return new Map([...found].map(([own, names]) => [own, [...names].sort()]))
}

it('every dependency has a licence that allows its use, and is listed', () => {
  const found = [...licences()].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
  for (const [licence, names] of found)
    for (const part of licence.replace(/[()]/g, '').split(/ (?:and|or) /i))
      expect(part, names.join(' ')).toMatch(allowed)
  const text = [
    '# Licences of dependencies',
    '',
    'What is installed to run Tailboard, by its licence; what only develops or tests it is not listed. Made of `package-lock.json` by `UPDATE_LICENCES=1 npx vitest run tests/licences.test.ts`. Fonts are under the OFL.',
    ...found.flatMap(([licence, names]) => ['', `**${licence}** (${names.length}): ${names.join(', ')}`]),
    '',
  ].join('\n')
  if (process.env['UPDATE_LICENCES'] === '1' && !process.env['CI']) writeFileSync(file, text)
  expect(readFileSync(file, 'utf8')).toBe(text)
})
