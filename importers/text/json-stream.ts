import { maxJsonDepth } from '../../lib/text'
import { PartBuffer } from './part-buffer'

const quote = 34
const comma = 44
const backslash = 92
const lineFeed = 10
const open = 123
const close = 125
const openList = 91
const closeList = 93

/** Receives what `JsonStream` finds. Texts are unparsed JSON. */
export interface JsonSink {
  /**
   * An object or a list in one of the outermost lists, with the line where it begins (1-based). `outer`: the object
   * around that list, as far as it was read.
   */
  element(text: string, outer: string | null, line: number): void
  /** An outermost object that ended, and the line where it begins; its own lists are left empty. */
  object(text: string, line: number): void
  /** Text that is not JSON, to the end of its line (at most 64 KiB). */
  other(text: string, line: number): void
  /** An element was left out: too long (8 MiB), nested too deeply (64) or broken off. */
  fault(kind: 'too-long' | 'too-deep' | 'broken', offset: number): void
}

/**
 * Splits JSON of any size and layout into small parts: `{"events":[{…},{…}]}`, `[{…},{…}]`, consecutive objects.
 * Memory: one part. After something broken it continues with the next line.
 */
export class JsonStream {
  private readonly part = new PartBuffer(8 * 1024 * 1024)
  private readonly outer = new PartBuffer(1024 * 1024)
  private readonly line = new PartBuffer(64 * 1024)
  /** Where bytes go now. */
  private target: PartBuffer | null = null
  /** The object around the list, as of the list's beginning. */
  private outerText: string | null = null
  /** Open brackets, outermost first. */
  private readonly brackets = new Uint8Array(maxJsonDepth)
  private depth = 0
  /** Depth inside an outermost list; 0: in none. */
  private listDepth = 0
  private isInString = false
  private isEscaped = false
  private isLine: 'no' | 'other' | 'skipped' = 'no'
  private hadLineFeed = true
  private offset = 0
  private lineNumber = 1
  /** Line where the current part began. */
  private partLine = 1
  /** Line where the outermost object began. */
  private outerLine = 1

  constructor(private readonly sink: JsonSink) {}

  /** Takes the next bytes. */
  push(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length) at = this.isLine === 'no' ? this.scan(bytes, at) : this.takeLine(bytes, at)
    this.offset += bytes.length
  }

  /** The input is over. True: it ended within an object or a list. */
  finish(): boolean {
    if (this.isLine !== 'no') this.endLine()
    return this.depth > 0
  }

  /** Reads bytes until a line has to be skipped; returns where. */
  private scan(bytes: Uint8Array, start: number): number {
    let from = start
    let at = start
    while (at < bytes.length) {
      if (this.isInString) {
        at = this.endString(bytes, at)
        if (at < bytes.length && this.isInString) this.giveUp('broken', at)
        continue
      }
      const byte = bytes[at] ?? 0
      if (byte > comma || byte === quote) {
        if (byte === open || byte === openList) {
          if (byte === open && this.hadLineFeed && this.depth > 0 && this.depth !== this.listDepth)
            this.giveUp('broken', at)
          if (this.depth >= maxJsonDepth) {
            this.giveUp('too-deep', at)
            return this.startLine('skipped', at)
          }
          from = this.openBracket(bytes, from, at, byte)
        } else if (byte === close || byte === closeList) {
          // The codes of a bracket and its closing one differ by two.
          if (this.depth > 0 && this.brackets[this.depth - 1] !== byte - 2) {
            this.giveUp('broken', at)
            return this.startLine('skipped', at)
          }
          if (this.depth > 0) from = this.closeBracket(bytes, from, at)
        } else if (this.depth === 0) return this.startLine('other', at)
        else if (byte === quote) this.isInString = true
      } else if (this.depth === 0 && byte > 32 && byte !== comma) return this.startLine('other', at)
      this.hadLineFeed = byte === lineFeed
      if (byte === lineFeed) this.lineNumber++
      at++
    }
    this.target?.add(bytes, from, bytes.length)
    return at
  }

  /** Returns from where on to buffer bytes. */
  private openBracket(bytes: Uint8Array, from: number, at: number, byte: number): number {
    const { depth } = this
    const isInList = depth > 0 && depth === this.listDepth
    this.brackets[this.depth++] = byte
    if (isInList) this.partLine = this.lineNumber
    if (depth === 0) this.outerLine = this.lineNumber
    if (isInList) this.target = this.part.clear()
    else if (depth === 0 && byte === open) this.target = this.outer.clear()
    else if (byte === openList && (depth === 0 || (depth === 1 && this.target === this.outer))) {
      this.target?.add(bytes, from, at + 1)
      this.target = null
      this.outerText = depth === 0 ? null : this.outer.text()
      this.listDepth = this.depth
    } else return from
    return at
  }

  /** Returns from where on to buffer bytes. */
  private closeBracket(bytes: Uint8Array, from: number, at: number): number {
    const { target } = this
    const depth = this.depth--
    if (depth === this.listDepth) {
      this.listDepth = 0
      if (depth > 1) this.target = this.outer
      return at
    }
    const isPart = this.listDepth > 0 && depth === this.listDepth + 1
    if (!isPart && depth > 1) return from
    this.target = null
    const text = target?.take(bytes, from, at + 1) ?? null
    if (text === null) this.sink.fault('too-long', this.offset + at)
    else if (isPart) this.sink.element(text, this.outerText, this.partLine)
    else this.sink.object(text, this.outerLine)
    return at
  }

  /** Where the string ends, after its quote. A line feed in it ends the scan there. */
  private endString(bytes: Uint8Array, start: number): number {
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at]
      if (this.isEscaped) this.isEscaped = false
      else if (byte === backslash) this.isEscaped = true
      else if (byte === quote) {
        this.isInString = false
        this.hadLineFeed = false
        return at + 1
      } else if (byte === lineFeed) return at
    }
    return bytes.length
  }

  /** Drops what is open. */
  private giveUp(kind: 'too-deep' | 'broken', at: number): void {
    this.sink.fault(kind, this.offset + at)
    this.target = null
    this.depth = 0
    this.listDepth = 0
    this.isInString = false
    this.isEscaped = false
  }

  private startLine(kind: 'other' | 'skipped', at: number): number {
    this.isLine = kind
    this.line.clear()
    return at
  }

  private takeLine(bytes: Uint8Array, start: number): number {
    const end = bytes.indexOf(lineFeed, start)
    this.line.add(bytes, start, end < 0 ? bytes.length : end)
    if (end < 0) return bytes.length
    this.endLine()
    return end
  }

  private endLine(): void {
    const text = this.isLine === 'other' ? this.line.text() : null
    this.isLine = 'no'
    if (text !== null) this.sink.other(text, this.lineNumber)
  }
}
