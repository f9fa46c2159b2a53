import type { BlockReader, Line, TextImporter } from '../importer'
import { isLoneBracket, jsonStart } from '../text/json-start'

/** By then the keys of every form have appeared. */
const maxLines = 16
const maxCharacters = 2_000
/** Possible beginnings of a line inside JSON. */
const insideJson = /^\s*(?:["{}[\]\d-]|true|false|null|$)/

/**
 * Opens at a lone bracket, which may begin any JSON: it takes lines until one of the importers recognises how the
 * object begins, or none can. In either case they are given back, the first one with `start`.
 */
export class JsonOpening implements BlockReader {
  /** The first lines, when an importer recognises them. */
  start: string | null = null
  private text = ''
  private lines = 0

  constructor(private readonly importers: readonly TextImporter[]) {}

  push(line: Line): 'taken' | 'not-mine' {
    if (this.lines > 0 && (line.tooLong === true || !insideJson.test(line.text))) return 'not-mine'
    this.lines++
    this.text += `${line.text}\n`
    if (this.lines === 1) return 'taken'
    const first = { number: line.number, text: this.text, raw: '' }
    if (jsonStart(first) !== null && this.importers.some((importer) => importer.detect(first))) {
      this.start = this.text
      return 'not-mine'
    }
    return this.lines < maxLines && this.text.length < maxCharacters ? 'taken' : 'not-mine'
  }

  end(): null {
    return null
  }
}

/** The importer of such brackets; its blocks are always nothing. */
export const createJsonOpener = (importers: readonly TextImporter[]): TextImporter => ({
  kind: 'text',
  id: 'json-opener',
  starts: '{[',
  detect: ({ text, objectStart }) => objectStart === undefined && isLoneBracket(text),
  open: () => new JsonOpening(importers),
})
