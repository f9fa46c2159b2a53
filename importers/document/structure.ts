import { readCommand } from './command'
import { isTableDelimiter, readCells, readHeadingMark, readItemMark, readUnderline, isRule } from './markdown'
import type { DocumentLine, Fence } from './markdown'
import { readPlainText } from './markdown-inline'

/**
 * A heading and what is below it, up to the next heading of its level. The root has level 0; a separator such as
 * `=== name ===`, and a line in bold above a fence, has level 7.
 */
export interface Section {
  readonly level: number
  /** Heading as seen on the rendered page; empty for the root. */
  readonly title: string
  /** With its marks and links. */
  readonly source: string
  /** 1-based; 0 for the root. */
  readonly line: number
  readonly parent: Section | null
  /** A block is in it or below one of its headings. */
  hasBlocks: boolean
}

/** A list item, or a line above a list that ends in a colon (the list's items are its children). */
export interface Item {
  readonly kind: 'item'
  readonly section: Section
  readonly line: number
  readonly indent: number
  text: string
  readonly parent: Item | null
  hasChildren: boolean
  /** A fence without output follows it: something to type, not an observation. */
  isInstruction: boolean
}

/** Consecutive lines of prose, or of a log. */
export interface Paragraph {
  readonly kind: 'paragraph'
  readonly section: Section
  readonly lines: readonly DocumentLine[]
}

/** A line inside a fence, excluding the fence's marks. */
export interface CodeLine {
  readonly kind: 'code'
  readonly section: Section
  readonly line: DocumentLine
  readonly fence: Fence
}

/** A Markdown table that no importer took. */
export interface Table {
  readonly kind: 'table'
  readonly section: Section
  readonly line: number
  readonly lastLine: number
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** The line directly above it, if any. */
  readonly caption: string | null
}

export type Entry = Item | Paragraph | CodeLine | Table

/** Position of a block. `line`: its first. */
export interface BlockPlace {
  readonly line: number
  readonly lastLine: number
  readonly fence: number | null
}

export interface DocumentStructure {
  readonly root: Section
  /** In order of the text. */
  readonly sections: readonly Section[]
  readonly entries: readonly Entry[]
  /** The section of each block, in the given order. */
  readonly blockSections: readonly Section[]
  /** It has headings or fences: prose in it is its author's, not a log's. */
  readonly isMarkdown: boolean
}

/** Reads headings, lists, prose, tables and code of the lines around the blocks. Both arguments rise in line. */
export function readStructure(lines: readonly DocumentLine[], blocks: readonly BlockPlace[]): DocumentStructure {
  const root: Section = { level: 0, title: '', source: '', line: 0, parent: null, hasBlocks: false }
  const sections: Section[] = [root]
  const entries: Entry[] = []
  const blockSections: Section[] = []
  let section = root
  let paragraph: DocumentLine[] = []
  let items: Item[] = []
  let isComment = false
  /** Item directly before the open fence, to see whether that fence contains output. */
  let fenceOwner: { readonly item: Item; readonly fence: number } | null = null
  let nextBlock = 0

  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]
    if (line === undefined) break
    placeBlocks(line.number)
    if (line.isFenceMark || line.fence) readFenced(line)
    else if (isHidden(line.text)) flush()
    else if (line.text.trim() === '') flushParagraph()
    else index += readOpen(line, index)
  }
  placeBlocks(Infinity)
  flush()
  const isMarkdown = sections.some(({ level }) => level > 0 && level < 7) || lines.some(({ fence }) => fence !== null)
  return { root, sections, entries, blockSections, isMarkdown }

  function placeBlocks(before: number): void {
    for (let block = blocks[nextBlock]; block !== undefined && block.line < before; block = blocks[++nextBlock]) {
      flush()
      if (fenceOwner && fenceOwner.fence === block.fence) fenceOwner.item.isInstruction = false
      blockSections.push(section)
      for (let owner: Section | null = section; owner && !owner.hasBlocks; owner = owner.parent) owner.hasBlocks = true
    }
  }

  function readFenced(line: DocumentLine): void {
    flushParagraph()
    if (line.fence === null) return
    if (!line.isFenceMark) {
      entries.push({ kind: 'code', section, line, fence: line.fence })
      return
    }
    const owner = items.at(-1)
    if (line.number !== line.fence.line || owner === undefined) return
    owner.isInstruction = true
    fenceOwner = { item: owner, fence: line.fence.line }
  }

  function isHidden(text: string): boolean {
    const starts = text.trimStart().startsWith('<!--')
    if (!isComment && !starts) return isRule(text) && paragraph.length === 0
    isComment = !text.includes('-->')
    return true
  }

  /** Reads a line outside of fences; returns how many lines after it were also read. */
  function readOpen(line: DocumentLine, index: number): number {
    const heading = readHeadingMark(line.text)
    // A root prompt looks like a heading.
    if (heading !== null && readCommand(line.text.replace(/^\s*#\s/, '')) === null) {
      openSection(heading.level, heading.text, line.number)
      return 0
    }
    const above = paragraph[0]
    const level = readUnderline(line.text, above?.text ?? '')
    // A line above a reStructuredText heading, like the one below it.
    if (level === 1 && above === undefined && lines[index + 2]?.text === line.text) return 0
    if (level !== null && above !== undefined && paragraph.length === 1 && above.text.trim().length <= 120) {
      paragraph = []
      openSection(level, above.text.trim(), above.number)
      return 0
    }
    const bold = /^\s{0,3}\*\*([^*]{1,120})\*\*:?\s*$/.exec(line.text)?.[1]
    if (bold !== undefined && isAboveFence(index)) {
      openSection(7, bold.replace(/:$/, ''), line.number)
      return 0
    }
    const item = readItemMark(line.text)
    if (item !== null) {
      addItem(item, line.number)
      return 0
    }
    const next = lines[index + 1]
    if (next?.number === line.number + 1 && line.text.includes('|') && isTableDelimiter(next.text))
      return readTable(line, index)
    const last = items.at(-1)
    if (last !== undefined && paragraph.length === 0 && isIndentedBelow(line, last) && last.text.length < 2_000)
      last.text += ` ${line.text.trim()}`
    else {
      items = []
      if (paragraph.at(-1) !== undefined && paragraph.at(-1)?.number !== line.number - 1) flushParagraph()
      paragraph.push(line)
    }
    return 0
  }

  /** `**Direct Lambda**` above a fence names what is in it. */
  function isAboveFence(index: number): boolean {
    const next = lines.slice(index + 1, index + 3).find(({ text }) => text.trim() !== '')
    return next?.isFenceMark === true && next.fence?.line === next.number
  }

  function isIndentedBelow(line: DocumentLine, item: Item): boolean {
    return item.indent >= 0 && /^[ \t]*/.exec(line.text)?.[0].replaceAll('\t', '    ').length !== 0
  }

  function openSection(level: number, source: string, line: number): void {
    flush()
    let parent = section
    while (parent.level >= level && parent.parent !== null) parent = parent.parent
    section = { level, title: readPlainText(source), source, line, parent, hasBlocks: false }
    sections.push(section)
  }

  function addItem(mark: { readonly indent: number; readonly text: string }, line: number): void {
    const lead = items.length === 0 ? takeLead() : null
    if (lead !== null) items = [lead]
    flushParagraph()
    while (items.length > 0 && (items.at(-1)?.indent ?? -1) >= mark.indent) items.pop()
    const parent = items.at(-1) ?? null
    if (parent !== null) parent.hasChildren = true
    const item: Item = { kind: 'item', section, line, ...mark, parent, hasChildren: false, isInstruction: false }
    entries.push(item)
    items.push(item)
  }

  /** The line above a list that introduces it: `Settings:`. */
  function takeLead(): Item | null {
    const only = paragraph.length === 1 ? paragraph[0] : undefined
    const [text, number] = only ? [only.text.trim(), only.number] : takeLastParagraph()
    if (text === null || text.length > 80 || !/:(?:\*\*|__)?$|^\*\*[^*]+\*\*$/.test(text)) return null
    if (only) paragraph = []
    else entries.pop()
    const lead: Item = {
      kind: 'item',
      section,
      line: number,
      indent: -1,
      text,
      parent: null,
      hasChildren: true,
      isInstruction: false,
    }
    entries.push(lead)
    return lead
  }

  function takeLastParagraph(): [text: string | null, number: number] {
    const last = entries.at(-1)
    const only = last?.kind === 'paragraph' && last.section === section ? last.lines[0] : undefined
    return only && last?.kind === 'paragraph' && last.lines.length === 1 ? [only.text.trim(), only.number] : [null, 0]
  }

  function readTable(header: DocumentLine, index: number): number {
    const caption = paragraph.at(-1)?.number === header.number - 1 ? (paragraph.at(-1)?.text.trim() ?? null) : null
    flush()
    const rows: string[][] = []
    let last = header.number + 1
    for (let at = index + 2; ; at++) {
      const row = lines[at]
      const cells = row?.number === last + 1 && !row.fence ? readCells(row.text) : null
      if (cells === null) break
      rows.push(cells)
      last++
    }
    const columns = readCells(header.text) ?? []
    entries.push({ kind: 'table', section, line: header.number, lastLine: last, columns, rows, caption })
    return last - header.number
  }

  function flush(): void {
    flushParagraph()
    items = []
  }

  function flushParagraph(): void {
    if (paragraph.length > 0) entries.push({ kind: 'paragraph', section, lines: paragraph })
    paragraph = []
  }
}
