import type { UtcIso } from '../../lib/run/run'

const genericWords = [
  'tests?',
  'test (?:results?|runs?|setup|cases?|environment|details|commands?|output)',
  '(?:full|raw|complete|detailed|final|performance|benchmark|load test) (?:results?|outputs?|logs?|reports?|data)',
  '(?:results?|outputs?|logs?|reports?|data|measurements?|numbers?)',
  '(?:results?|performance|data|test)? ?analysis',
  '(?:commands?|usage|examples?|how to run|running|execution|steps|procedure)',
  '(?:setup|set up|set-up|preparation)',
  '(?:overview|context|background|introduction|intro|description|about|purpose|goals?|motivation|hypothesis)',
  '(?:environment|instances?|hardware|machines?|systems?|infrastructure|specs?|specifications?|software|platform)',
  '(?:config|configurations?|settings?|parameters?|options?|details|test plan|plan|method|methodology)',
  '(?:[\\w-]+ )?(?:settings|configuration|parameters)',
  '(?:benchmarks?|benchmarking|load tests?|load testing|performance|performance tests?|stress tests?|scenarios?)',
  '(?:conclusions?|summary|take ?-?aways?|key take ?-?aways?|findings|observations|discussion|remarks|lessons(?: learned)?)',
  '(?:notes?|comments?|comparisons?|tl;?dr|interpretation|appendix|references|links|plots?|graphs?|charts?)',
  '(?:runs?|attempts?|iterations?|rounds?|takes?|trials?|tests?)(?: (?:no\\.? ?)?#?\\d{1,4})?',
]
const generic = new RegExp(`^(?:${genericWords.join('|')})$`)
const conclusion =
  /(?:conclusions?|summary|take ?-?aways?|findings|observations|discussion|remarks|lessons(?: learned)?|notes?|tl;?dr|interpretation|analysis|comparisons?)$/

function normalizeHeading(title: string): string {
  return title
    .toLowerCase()
    .replace(/^(?:\d{1,3}[.)]|[^\p{L}\p{N}]+)\s*/u, '')
    .replace(/[\s:.!]{1,20}$/, '')
}

/** A heading about the kind of text below it, not about what was measured: Results, Setup, Run 2. */
export function isGenericHeading(title: string): boolean {
  return title.length <= 60 && generic.test(normalizeHeading(title))
}

/** A generic heading above the author's conclusions about the text before it. */
export function isConclusionHeading(title: string): boolean {
  return isGenericHeading(title) && conclusion.test(normalizeHeading(title))
}

/** `Take aways`, `Conclusion`: a list item above such remarks. */
export function isRemarksTitle(text: string): boolean {
  return text.length <= 60 && conclusion.test(normalizeHeading(text)) && generic.test(normalizeHeading(text))
}

// AWS c6i.8xlarge, db.t3.micro; Google n2-highcpu-8; Azure Standard_D4s_v5.
const instanceType =
  /^(?:[a-z][a-z0-9]{0,5}(?:-[a-z0-9]{1,6})?\.(?:\d{0,3}x?large|medium|small|micro|nano|metal(?:-[a-z0-9]{1,6})?)|[a-z]\d[a-z]?-(?:standard|highmem|highcpu|ultramem|megamem|custom)-\d{1,3}(?:-lssd)?|Standard_[A-Z]{1,3}\d{1,3}\w{0,6}(?:_v\d)?)$/

/** The only instance type in a text (`1 x c5.2xlarge instance`), else null. */
export function findInstanceType(text: string): string | null {
  const types = new Set(
    text
      .slice(0, 500)
      .split(/[\s,;()[\]"'`]+/)
      .filter((word) => instanceType.test(word)),
  )
  const [only] = types
  return types.size === 1 && only !== undefined ? only : null
}

/** Instance type of a heading or line that names nothing else: `c6i.8xlarge`, `1 x c5.2xlarge instance`. */
export function readInstanceType(text: string): string | null {
  const type = findInstanceType(text)
  if (type === null) return null
  const rest = text.replace(type, '').replace(/\((?:[^()]{0,60})\)/, '')
  return /^[\s:,.-]*(?:(?:on|an?|aws|amazon|gcp|google|azure|ec2|instances?|type|vm|node|machine|\d{1,3}|x|×)[\s:,.-]*){0,6}$/i.test(
    rest,
  )
    ? type
    : null
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthName = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?'
const dateForms: readonly (readonly [RegExp, (parts: readonly string[]) => readonly [string, string, string]])[] = [
  [/^(\d{4})-(\d{2})-(\d{2})$/, ([y = '', m = '', d = '']) => [y, m, d]],
  [/^(\d{4})[/.](\d{2})[/.](\d{2})$/, ([y = '', m = '', d = '']) => [y, m, d]],
  [
    new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)? ${monthName},? (\\d{4})$`),
    ([d = '', m = '', y = '']) => [y, monthOf(m), d],
  ],
  [
    new RegExp(`^${monthName} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})$`),
    ([m = '', d = '', y = '']) => [y, monthOf(m), d],
  ],
]

function monthOf(name: string): string {
  return String(months.indexOf(name) + 1)
}

/** The day of a heading that names nothing else, as its first instant in UTC; null for any other heading. */
export function readDateHeading(title: string): UtcIso | null {
  const text = title.trim().toLowerCase()
  if (text.length > 40) return null
  for (const [pattern, order] of dateForms) {
    const found = pattern.exec(text)
    if (found === null) continue
    const [year, month, day] = order(found.slice(1))
    const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    const date = new Date(`${iso}T00:00:00.000Z`)
    // 2022-02-30 rolls over.
    return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? date.toISOString() : null
  }
  return null
}

/** `(main branch)` at the end of a heading: the heading without it, and the branch. */
export function splitBranch(title: string): { readonly name: string; readonly branch: string | null } {
  const [, name, branch] =
    /^(.*\S) \(([\w./-]{1,100}) branch\)$/.exec(title) ?? /^(.*\S) \(branch:? ([\w./-]{1,100})\)$/.exec(title) ?? []
  if (name === undefined || branch === undefined) return { name: title, branch: null }
  return { name, branch }
}

/** Names that differ only in blanks, marks and case are the same: `DirectLambda`, `Direct Lambda`. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}
