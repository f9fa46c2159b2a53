import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const files = ['app', 'components'].flatMap((room) =>
  readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' }).map(
    (name) => `${room}/${name.replaceAll(path.sep, '/')}`,
  ),
)
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8')
const code = files.filter((file) => /\.tsx?$/.test(file)).map((file) => [file, textOf(file)] as const)
const sheets = files.filter((file) => file.endsWith('.module.css')).sort()

/** Classes of a style sheet's selectors, without those of other sheets. */
function classesIn(css: string): ReadonlySet<string> {
  const own = css.replace(/\/\*.*?\*\/|:global\([^)]*\)/gs, '')
  return new Set([...own.matchAll(/\.([a-z][\w-]*)(?=[^{};]*\{)/gi)].map(([, name = '']) => name))
}

/** What components read from a style sheet: classes by name, and whether some are read by a value. */
function readFrom(sheet: string): { readonly names: ReadonlySet<string>; readonly isByValue: boolean } {
  const names = new Set<string>()
  let isByValue = false
  for (const [file, text] of code)
    for (const [, local = '', from = ''] of text.matchAll(/^import (\w+) from '([^']+\.module\.css)'$/gm)) {
      const place = from.startsWith('@/') ? from.slice(2) : path.posix.join(path.posix.dirname(file), from)
      if (place !== sheet) continue
      for (const [, dotted, quoted] of text.matchAll(
        new RegExp(`\\b${local}(?:\\.(?!module\\.css)(\\w+)|\\['([\\w-]+)'\\])`, 'g'),
      ))
        names.add(dotted ?? quoted ?? '')
      isByValue ||= new RegExp(`\\b${local}\\[[^']`).test(text)
    }
  return { names, isByValue }
}

/** Declarations by the class that is the whole selector of their rule. */
function rulesOfOneClass(css: string): readonly (readonly [name: string, declarations: readonly string[]])[] {
  return [...css.matchAll(/^\.([\w-]+) \{\n([^{}]*)\}/gm)].map(([, name = '', body = '']) => [
    name,
    body.split(/;\s*/).flatMap((one) => one.trim() || []),
  ])
}

describe('style sheets', () => {
  it('have the classes that components read, and no others', () => {
    expect(sheets.length).toBeGreaterThan(50)
    const wrong = sheets.flatMap((sheet) => {
      const classes = classesIn(textOf(sheet))
      const { names, isByValue } = readFrom(sheet)
      const missing = [...names].filter((name) => !classes.has(name)).map((name) => `${sheet} has no .${name}`)
      const idle = [...classes].filter((name) => !isByValue && !names.has(name))
      return [...missing, ...idle.map((name) => `no component reads .${name} of ${sheet}`)]
    })
    expect(wrong).toEqual([])
  })

  it('share what four declarations or more say', () => {
    const shared = new Map<string, string[]>()
    for (const sheet of sheets)
      for (const [name, declarations] of rulesOfOneClass(textOf(sheet)))
        if (declarations.length > 3) {
          const body = declarations.toSorted().join('; ')
          shared.set(body, [...(shared.get(body) ?? []), `.${name} of ${sheet}`])
        }
    expect([...shared].filter(([, places]) => places.length > 1)).toEqual([])
  })

  it('have no utility that no component uses', () => {
    const words = new Set(code.flatMap(([, text]) => text.match(/[\w-]+/g) ?? []))
    const utilities = rulesOfOneClass(textOf('app/utilities.css')).map(([name]) => name)
    expect(utilities.length).toBeGreaterThan(30)
    expect(utilities.filter((name) => !words.has(name))).toEqual([])
  })
})
