import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

describe('decisions', () => {
  const folder = 'docs/decisions'
  const files = readdirSync(path.join(root, folder)).filter((name) => /^\d{3}-/.test(name))
  const decisions = files.map((file) => {
    const [heading = '', , status = ''] = read(`${folder}/${file}`).split('\n')
    return { file, number: file.slice(0, 3), title: heading.slice('# 000 '.length), heading, status }
  })
  const relations = [
    ['supersedes', 'superseded by'],
    ['amends', 'amended by'],
  ] as const
  const numbersAfter = (word: string, status: string): readonly string[] =>
    new RegExp(String.raw`\b${word} (\d{3}(?:, \d{3})*)`).exec(status)?.[1]?.split(', ') ?? []

  it('start with number, title, date and status, then give context, decision and consequence', () => {
    const form = /^\d{4}-\d\d-\d\d · (accepted|superseded by \d{3})(; (supersedes|amends|amended by) \d{3}(, \d{3})*)*$/
    for (const { file, number, heading, status } of decisions) {
      expect(heading, file).toMatch(new RegExp(`^# ${number} \\S`))
      expect(status, file).toMatch(form)
      expect(read(`${folder}/${file}`), file).toMatch(
        /\n\*\*Context\.\*\* [^]*\n\*\*Decision\.\*\* [^]*\n\*\*Consequence\.\*\* /,
      )
    }
  })

  it('name the decisions they change, and those name them', () => {
    const pairs = (word: string) =>
      decisions.flatMap(({ number, status }) => numbersAfter(word, status).map((other) => [number, other] as const))
    for (const [active, passive] of relations) {
      const inTurn = pairs(passive).map(([changed, by]) => `${by} ${changed}`)
      expect(inTurn.toSorted(), active).toEqual(
        pairs(active)
          .map(([by, changed]) => `${by} ${changed}`)
          .toSorted(),
      )
    }
  })

  it('are listed once, under a subject, by their title', () => {
    const listed = [...read(`${folder}/README.md`).matchAll(/^- \[(\d{3})\]\((\S+)\) (.*)$/gm)].map(([line]) => line)
    const expected = decisions.map(({ file, number, title, status }) => {
      const [superseded] = /superseded by \d{3}/.exec(status) ?? []
      return `- [${number}](${file}) ${title}${superseded === undefined ? '' : ` (${superseded})`}`
    })
    expect(listed.toSorted()).toEqual(expected.toSorted())
  })
})

describe('links between documents', () => {
  it('lead to files that exist', () => {
    const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md']
    for (const file of readdirSync(path.join(root, 'docs'))) if (file.endsWith('.md')) documents.push(`docs/${file}`)
    const broken = documents.flatMap((file) =>
      [...read(file).matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)]
        .map(([, target = '']) => path.join(path.dirname(file), target))
        .filter((target) => !existsSync(path.join(root, target)))
        .map((target) => `${file}: ${target}`),
    )
    expect(broken).toEqual([])
  })
})
