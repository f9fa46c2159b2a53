import { readCommand } from './command'
import { isTableDelimiter, readCells, readHeadingMark, readItemMark, readUnderline, isRule } from './markdown'
import type { DocumentLine, Fence, ItemMark } from './markdown'
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
  const reader = new StructureReader(lines)
  let nextBlock = 0
  const placeBlocks = (before: number) => {
    for (let block = blocks[nextBlock]; block !== undefined && block.line < before; block = blocks[++nextBlock])
      reader.placeBlock(block)
  }
  for (let index = 0; index < lines.length; index++) {
    placeBlocks(lines[index]?.number ?? Infinity)
    index += reader.readLine(index)
  }
  placeBlocks(Infinity)
  return reader.end()
}

class StructureReader {
  private readonly root: Section = { level: 0, title: '', source: '', line: 0, parent: null, hasBlocks: false }
  private readonly sections: Section[] = [this.root]
  private readonly entries: Entry[] = []
  private readonly blockSections: Section[] = []
  /** The open section. */
  private section = this.root
  /** The open paragraph; empty: none. */
  private paragraph: DocumentLine[] = []
  /** The last item of the open list, and those around it, outermost first; empty: no list is open. */
  private items: Item[] = []
  private isInComment = false
  /** Item directly before the open fence, to see whether that fence contains output. */
  private fenceOwner: { readonly item: Item; readonly fence: number } | null = null

  constructor(private readonly lines: readonly DocumentLine[]) {}

  /** A block that comes before the next line. */
  placeBlock({ fence }: BlockPlace): void {
    const { fenceOwner, section } = this
    this.endList()
    if (fenceOwner && fenceOwner.fence === fence) fenceOwner.item.isInstruction = false
    this.blockSections.push(section)
    for (let owner: Section | null = section; owner && !owner.hasBlocks; owner = owner.parent) owner.hasBlocks = true
  }

  /** Returns how many lines after it were also read. */
  readLine(index: number): number {
    const line = this.lines[index]
    if (line === undefined) return 0
    if (line.isFenceMark || line.fence) this.readFenced(line)
    else if (this.isHidden(line.text)) this.endList()
    else if (line.text.trim() === '') this.endParagraph()
    else if (!this.readHeading(line, index) && !this.readItem(line)) {
      const next = this.lines[index + 1]
      if (next?.number === line.number + 1 && line.text.includes('|') && isTableDelimiter(next.text))
        return this.readTable(line, index)
      this.readProse(line)
    }
    return 0
  }

  end(): DocumentStructure {
    this.endList()
    const { root, sections, entries, blockSections, lines } = this
    const hasHeadings = sections.some(({ level }) => level > 0 && level < 7)
    const isMarkdown = hasHeadings || lines.some(({ fence }) => fence !== null)
    return { root, sections, entries, blockSections, isMarkdown }
  }

  private readFenced(line: DocumentLine): void {
    this.endParagraph()
    const { fence } = line
    if (fence === null) return
    if (!line.isFenceMark) {
      this.entries.push({ kind: 'code', section: this.section, line, fence })
      return
    }
    const owner = this.items.at(-1)
    if (line.number !== fence.line || owner === undefined) return
    owner.isInstruction = true
    this.fenceOwner = { item: owner, fence: fence.line }
  }

  /** A comment, or a rule that underlines nothing. */
  private isHidden(text: string): boolean {
    const starts = text.trimStart().startsWith('<!--')
    if (!this.isInComment && !starts) return isRule(text) && this.paragraph.length === 0
    this.isInComment = !text.includes('-->')
    return true
  }

  private readHeading(line: DocumentLine, index: number): boolean {
    const heading = readHeadingMark(line.text)
    // A root prompt looks like a heading.
    if (heading !== null && readCommand(line.text.replace(/^\s*#\s/, '')) === null)
      return this.openSection(heading.level, heading.text, line.number)
    const above = this.paragraph[0]
    const level = readUnderline(line.text, above?.text ?? '')
    // A line above a reStructuredText heading, like the one below it.
    if (level === 1 && above === undefined && this.lines[index + 2]?.text === line.text) return true
    if (level !== null && above !== undefined && this.paragraph.length === 1 && above.text.trim().length <= 120) {
      this.paragraph = []
      return this.openSection(level, above.text.trim(), above.number)
    }
    const bold = /^\s{0,3}\*\*([^*]{1,120})\*\*:?\s*$/.exec(line.text)?.[1]
    if (bold === undefined || !this.isAboveFence(index)) return false
    return this.openSection(7, bold.replace(/:$/, ''), line.number)
  }

  /** `**Direct Lambda**` above a fence names what is in it. */
  private isAboveFence(index: number): boolean {
    const next = this.lines.slice(index + 1, index + 3).find(({ text }) => text.trim() !== '')
    return next?.isFenceMark === true && next.fence?.line === next.number
  }

  private openSection(level: number, source: string, line: number): true {
    this.endList()
    let parent = this.section
    while (parent.level >= level && parent.parent !== null) parent = parent.parent
    this.section = { level, title: readPlainText(source), source, line, parent, hasBlocks: false }
    this.sections.push(this.section)
    return true
  }

  private readItem({ text, number }: DocumentLine): boolean {
    const mark = readItemMark(text)
    if (mark === null) return false
    const lead = this.items.length === 0 ? this.takeLead() : null
    if (lead !== null) this.addItem(lead.number, { indent: -1, text: lead.text.trim() })
    this.endParagraph()
    while ((this.items.at(-1)?.indent ?? -1) >= mark.indent) this.items.pop()
    this.addItem(number, mark)
    return true
  }

  /** Adds an item below the last of `items`. */
  private addItem(line: number, mark: ItemMark): void {
    const { section, items } = this
    const parent = items.at(-1) ?? null
    if (parent !== null) parent.hasChildren = true
    const item: Item = { kind: 'item', section, line, ...mark, parent, hasChildren: false, isInstruction: false }
    this.entries.push(item)
    items.push(item)
  }

  /** Takes back the line above a list that introduces it, `Settings:`: it is an item around the list. */
  private takeLead(): DocumentLine | null {
    const { paragraph, entries, section } = this
    const above = entries.at(-1)
    const closed = above?.kind === 'paragraph' && above.section === section ? above.lines : []
    const [lead, ...others] = paragraph.length === 1 ? paragraph : closed
    const text = lead?.text.trim() ?? ''
    if (lead === undefined || others.length > 0 || text.length > 80) return null
    if (!/:(?:\*\*|__)?$|^\*\*[^*]+\*\*$/.test(text)) return null
    if (paragraph.length === 1) this.paragraph = []
    else entries.pop()
    return lead
  }

  private readTable(header: DocumentLine, index: number): number {
    const above = this.paragraph.at(-1)
    const caption = above?.number === header.number - 1 ? above.text.trim() : null
    this.endList()
    const rows: string[][] = []
    let lastLine = header.number + 1
    for (let at = index + 2; ; at++) {
      const row = this.lines[at]
      const cells = row?.number === lastLine + 1 && !row.fence ? readCells(row.text) : null
      if (cells === null) break
      rows.push(cells)
      lastLine++
    }
    const columns = readCells(header.text) ?? []
    this.entries.push({ kind: 'table', section: this.section, line: header.number, lastLine, columns, rows, caption })
    return lastLine - header.number
  }

  /** The rest of an item, or a line of a paragraph. */
  private readProse(line: DocumentLine): void {
    const item = this.items.at(-1)
    if (item !== undefined && this.paragraph.length === 0 && isIndentedBelow(line, item) && item.text.length < 2_000)
      item.text += ` ${line.text.trim()}`
    else {
      this.items = []
      const above = this.paragraph.at(-1)
      if (above !== undefined && above.number !== line.number - 1) this.endParagraph()
      this.paragraph.push(line)
    }
  }

  private endList(): void {
    this.endParagraph()
    this.items = []
  }

  private endParagraph(): void {
    const { section, paragraph } = this
    if (paragraph.length > 0) this.entries.push({ kind: 'paragraph', section, lines: paragraph })
    this.paragraph = []
  }
}

/** Whether a line may be the rest of an item; there is none of a line that only introduces a list. */
const isIndentedBelow = ({ text }: DocumentLine, { indent }: Item): boolean => indent >= 0 && /^[ \t]/.test(text)
