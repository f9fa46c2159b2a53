import type { FoundCommand } from './command'
import { readLineFacts, type LineFact } from './facts'
import { isConclusionHeading, isGenericHeading, isRemarksTitle, normalizeName } from './heading-names'
import { isOnlyLinks, readPlainText } from './markdown-inline'
import type { DocumentStructure, Item, Paragraph, Section } from './structure'

/** What the author states in one line or paragraph, and about which runs. */
export interface Remark {
  readonly line: number
  /** As written, without list mark. */
  readonly text: string
  /** `text` without the title of its list that was prepended. */
  readonly said: string
  readonly facts: readonly LineFact[]
  /** It contains more than its facts. */
  readonly isNote: boolean
  /** The section it is in. */
  readonly section: Section
  /** It applies below this: its section, or the one around it for a section such as Setup that contains no output. */
  readonly owner: Section
  /** In a Setup: only to what follows. A conclusion, or a remark beside the output: to all of the owner. */
  readonly onlyBelow: boolean
  /** Normalized name of the variant, environment or scenario it is about; null: all. */
  readonly about: string | null
  /** The same as written: `DirectLambda`; also for a name that no run has. Null: all. */
  readonly subject: string | null
}

/** The names of a document's runs, by which remarks about one of them are recognised. */
export interface KnownNames {
  /** Normalized name that a text refers to, else null. */
  find(text: string): string | null
}

/**
 * Collects names: a text refers to a name if it equals it except for blanks, marks and case, or begins with it up to `
 * - `.
 */
export function createKnownNames(names: Iterable<string>): KnownNames {
  const known = new Set<string>()
  const heads = new Map<string, string | null>()
  for (const name of new Set(names)) {
    const normal = normalizeName(name)
    if (normal === '') continue
    known.add(normal)
    const head = normalizeName(name.split(/ [-–—(] ?|: |, /)[0] ?? '')
    if (head !== '' && head !== normal) heads.set(head, heads.has(head) ? null : normal)
  }
  return {
    find(text) {
      const normal = normalizeName(text)
      return known.has(normal) ? normal : (heads.get(normal) ?? null)
    },
  }
}

/** Everything the author wrote around the blocks, in order of the text. */
export function collectRemarks(
  structure: DocumentStructure,
  commands: readonly FoundCommand[],
  names: KnownNames,
): Remark[] {
  const commandLines = new Set(commands.flatMap(({ line, lastLine }) => range(line, lastLine)))
  const remarks: Remark[] = []
  for (const entry of structure.entries) {
    if (entry.kind === 'item') {
      const remark = commandLines.has(entry.line) ? null : readItem(entry, names)
      if (remark !== null) remarks.push(remark)
    } else if (entry.kind === 'paragraph') {
      const remark = readParagraph(entry, commandLines, structure.isMarkdown)
      if (remark !== null) remarks.push(remark)
    }
  }
  return remarks
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

function placeOf(section: Section): Pick<Remark, 'section' | 'owner' | 'onlyBelow'> {
  let owner = section
  while (owner.parent !== null && !owner.hasBlocks && isGenericHeading(owner.title)) owner = owner.parent
  return { section, owner, onlyBelow: owner !== section && !isConclusionHeading(section.title) }
}

function titleOf(text: string): string {
  const title = readPlainText(text)
  return title.endsWith(':') ? title.slice(0, -1).trimEnd() : title
}

/** What the items above an item are about, and what kind of list they make. */
function readParents(item: Item, names: KnownNames) {
  let about: string | null = null
  let subject: string | null = null
  let isRemarks = false
  let isSettings = !isConclusionHeading(item.section.title) && isGenericHeading(item.section.title)
  const unknown: string[] = []
  const parents: Item[] = []
  for (let parent = item.parent; parent !== null && parents.length < 20; parent = parent.parent) parents.unshift(parent)
  for (const parent of parents) {
    const title = titleOf(parent.text)
    const name = names.find(title)
    if (name !== null) [about, subject] = [name, title]
    else if (isRemarksTitle(title)) isRemarks = true
    else if (isGenericHeading(title) || /^(?:both|all)\b/i.test(title)) isSettings = true
    else if (isHeader(parent)) {
      subject = title
      unknown.push(title)
    }
  }
  return { about, subject, isRemarks, isSettings, unknown }
}

function isHeader(item: Item): boolean {
  return item.hasChildren && /:(?:\*\*|__)?\s*$|^\*\*[^*]+\*\*$/.test(item.text)
}

function readItem(item: Item, names: KnownNames): Remark | null {
  const title = titleOf(item.text)
  if (item.isInstruction || isOnlyLinks(item.text) || title === '') return null
  // The item is the heading of its list, or just the name of a run.
  const isTitle = isHeader(item) || (item.hasChildren && (isRemarksTitle(title) || isGenericHeading(title)))
  if (isTitle || names.find(title) !== null) return null
  const parents = readParents(item, names)
  let { about, subject } = parents
  let text = item.text
  const [, first, rest] = /^([^:]{1,120}):\s+(\S.*)$/.exec(text) ?? []
  const named = first === undefined || rest === undefined ? null : names.find(readPlainText(first))
  if (named !== null && first !== undefined && rest !== undefined) {
    about = named
    subject = readPlainText(first)
    text = rest
  }
  const isRemark = parents.isRemarks || isConclusionHeading(item.section.title)
  const isOfNobody = parents.unknown.length > 0 && about === null
  const read = isRemark || isOfNobody ? null : readLineFacts(text, parents)
  return {
    line: item.line,
    text: isOfNobody ? `${parents.unknown.join(': ')}: ${text}` : text,
    said: text,
    facts: read?.facts ?? [],
    isNote: read?.isWhole !== true,
    ...placeOf(item.section),
    about,
    subject,
  }
}

function readParagraph(
  { section, lines }: Paragraph,
  commandLines: ReadonlySet<number>,
  isMarkdown: boolean,
): Remark | null {
  const kept = lines.filter(({ number, text }) => !commandLines.has(number) && isProse(text))
  const first = kept[0]
  if (first === undefined) return null
  const text = kept
    .map((line) => line.text.trim())
    .join(' ')
    .slice(0, 4_000)
  const read = kept.map((line) => readLineFacts(line.text.trim(), { isSettings: false }))
  // In a log a line such as `Duration: 12 ms` may come from anything; a few `Region: …` above the output are its
  // author's.
  const isTrusted = !isConclusionHeading(section.title) && (isMarkdown || lines.length <= 12)
  const facts = read.flatMap((line) => line.facts).filter(({ kind }) => isTrusted && (isMarkdown || kind !== 'measure'))
  const isNote = isMarkdown && !read.every(({ isWhole }) => isWhole)
  if (!isMarkdown && facts.length === 0) return null
  return { line: first.number, text, said: text, facts, isNote, ...placeOf(section), about: null, subject: null }
}

function isProse(text: string): boolean {
  const line = text.trim()
  return /\p{L}{2}/u.test(line) && !isOnlyLinks(line) && !/^(?:\[\^|\[[^\]]{1,100}\]:|<\/?[a-zA-Z]|ID:|\|)/.test(line)
}
