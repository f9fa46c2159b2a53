import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/**
 * Texts of the UI (pages, messages, mails, problems, script output) use the field's words: CONTRIBUTING.md, "Glossary".
 * A text is what JSX shows, an attribute that is read, any string with two words or a capital, and a single lower-case
 * word where values are shown: in lists (`['max', max]`), as alternatives and defaults, as a label.
 */
const root = path.resolve(import.meta.dirname, '..')
const rooms = ['app', 'components', 'importers', 'lib', 'prisma', 'scripts', 'cli'] as const

/** What to avoid, and what to write instead. */
const avoided: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bper cent\b/i, 'percent'],
  [/\b(tells?|told|telling)\b/i, 'report, say, state; separate … from noise'],
  [/\blook(s|ed|ing)?\b/i, 'evaluate, check, see, seem'],
  [/\b(some|no|any|every)body\b|\bwhoever\b/i, 'anyone with …, or the passive'],
  [/\bkept\b/i, 'stored, cached'],
  [/\busual\b/i, 'default, typical'],
  [/\b(fast|slow)est\b/i, 'min, max'],
  [/\b(?<!at[ -])least\b|\bgreatest\b|\bat the most\b|\bmost (?:memory|runs)\b/i, 'min, max, minimum, maximum'],
  [/\bleftovers?\b|\bnot understood\b/i, 'unparsed'],
  [/\btake away\b/i, 'export'],
  [/\b(un)?tick(ed|s)?\b/i, 'select'],
  [/\b(switch|turn)(es|s|ed|ing)? (itself )?(on|off)\b/i, 'enable, disable'],
  [/\b(last|next|first|second|at) try\b|\btries\b/i, 'attempt'],
  [/\bunder way\b/i, 'in flight, in progress'],
  [/\banswer(s|ed|ing)?\b/i, 'response, respond'],
  [/\bnot (known|told)\b/i, 'unknown, not stated'],
  [/\bthrown? away\b/i, 'discard'],
  [/\b(for good|for ever|any more)\b/i, 'permanently, forever, no longer'],
  [/\bby hand\b/i, 'manually'],
  [/\b(stands?|stood) (in|at|on|here|there|around|before|below|above|alone)\b/i, 'is'],
  [/\blives? (at|in|under)\b/i, 'is'],
  [/\bby (itself|themselves)\b/i, 'automatically'],
  [/\bcut (short|off early)\b|\bends early\b/i, 'truncated'],
  [/\bopen again\b/i, 'reopen'],
  [/\bmake (the|a) (link|badge|share|channel|project)\b/i, 'create'],
  [/\breach(es)? from\b/i, 'range from'],
  [/\bgoes? (on|away)\b/i, 'continue, disappear'],
  [/\bNothing noted\b|\bNote it\b|\bSomebody\b/, 'No notes, Add'],
  [/\bas (it|they) came\b/i, 'unchanged, as uploaded'],
  [/\bwithdrawn\b/i, 'auto-closed'],
  [/\bone run differs\b/i, 'run-to-run noise'],
  [/\bReq\/Sec\b/, 'Req/s'],
  // It used to mean both "the same" and "may be noise".
  [/(?:^|\s)~(?:\s|$)/, 'same, equal or undecided'],
]

/** What tools print, patterns for it, and the id of a state. */
const quoted: readonly RegExp[] = [
  /^(Fastest|Slowest|Req\/Sec|Details \(average, fastest, slowest\):)$/,
  /^\^/,
  /^withdrawn$/,
]

/** Database statements. */
const sql = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE) /

/** Attributes that are never read. */
const silent =
  /^(className|href|src|id|name|type|role|key|method|action|rel|target|d|viewBox|style|htmlFor|lang|data-(?!command).*|aria-(?!label|description|roledescription|valuetext).*)$/

const files = rooms.flatMap((room) =>
  readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
    .map((name) => `${room}/${name.replaceAll(path.sep, '/')}`)
    .filter((name) => /\.tsx?$/.test(name) && !/^prisma\/(generated|migrations)/.test(name)),
)

interface Text {
  readonly place: string
  readonly text: string
}

const isSaid = (text: string): boolean => /\p{L}{2,}\S* \S|\S \p{L}{2,}/u.test(text) || /^\p{Lu}\p{Ll}/u.test(text)

/** Properties whose values are shown. */
const shownProperty = /^(label|title|text|word|words|name|head|foot|note|hint|message|summary)$/

/** Whether a string is an item of a list, one of two alternatives, a default, shown by JSX, or a label. */
function isShown(node: ts.StringLiteral | ts.NoSubstitutionTemplateLiteral): boolean {
  const { parent } = node
  if (ts.isArrayLiteralExpression(parent) || ts.isJsxAttribute(parent) || ts.isJsxExpression(parent)) return true
  if (ts.isConditionalExpression(parent)) return parent.condition !== node
  if (ts.isBinaryExpression(parent)) return parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken
  return ts.isPropertyAssignment(parent) && shownProperty.test(parent.name.getText())
}

/** The texts in a file, with `…` for interpolated values. */
function textsOf(file: string, code: string): readonly Text[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
  const found: Text[] = []
  const add = (node: ts.Node, raw: string, isRead: boolean) => {
    const text = raw.replace(/\s+/g, ' ').trim()
    if (!isRead && !isSaid(text)) return
    found.push({ place: `${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`, text })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return
    if (ts.isJsxAttribute(node) && silent.test(node.name.getText(source))) return
    if (ts.isJsxText(node)) add(node, node.text, true)
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      add(node, node.text, isShown(node))
    }
    if (ts.isTemplateExpression(node)) {
      add(node, [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'), false)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

describe('texts of the UI', () => {
  it('are found in elements, attributes, strings and templates', () => {
    const code =
      "const a = <p title='Some one'>Two {`words ${1} more`}</p>\nconst b = { label: 'max', id: 'm', c: 'ab cd' }\nconst d = [['mean', n === 'k' ? 'yes' : n]]"
    const texts = ['Some one', 'Two', 'words … more', 'max', 'ab cd', 'mean', 'yes']
    expect(textsOf('a.tsx', code).map(({ text }) => text)).toEqual(texts)
  })

  it('use the words of the glossary', () => {
    const offences = files.flatMap((file) =>
      textsOf(file, readFileSync(path.join(root, file), 'utf8'))
        .filter(({ text }) => !sql.test(text) && !quoted.some((pattern) => pattern.test(text)))
        .flatMap(({ place, text }) =>
          avoided
            .filter(([pattern]) => pattern.test(text))
            .map(
              ([pattern, instead]) =>
                `${place}: “${pattern.exec(text)?.[0]}” (use ${instead}) in “${text.slice(0, 160)}”`,
            ),
        ),
    )
    expect(offences).toEqual([])
  })
})
