import type { BlockReader } from '../importer'

/** What authors put before a copied line: a list mark, an arrow, an emoji. */
const before = /^(\s{0,40})(?:(?:[*+•→⇒➤►▶👉✅✔❌⚠🚀|-]\uFE0F?){1,3}|[=-]{1,3}>|>{1,3})\s{1,8}/u
/** What they put after its last figure. A number alone does not count: it may be another column. */
const behind = /\s(?:[<#(!?;←⟵→⇒⇐✅✔✓✗❌⚠🚀–—]|\/\/|--|[=-]>)/u

/** A line without any of these has no marks of its author's. */
const anyMark = /[*+|=<>#(!?;`_~/-]|[^\0-\x7f]/

/**
 * A line of a report without its author's marks: `- Requests/sec:   **2673.91**  <-- best` is `Requests/sec:
 * 2673.91`. Only for lines that cannot be read as they are. Null: there are no such marks.
 */
export function withoutAnnotations(text: string): string | null {
  if (text.length > 1_000 || !anyMark.test(text)) return null
  const shown = text.replace(before, '$1')
  const end = shown.search(behind)
  const plain = (end < 0 ? shown : shown.slice(0, end))
    .replace(/\*\*|__|`/g, '')
    .replace(/\s[~≈] ?(?=\d)/g, ' ')
    .trimEnd()
  return plain === text.trimEnd() ? null : plain
}

/** The same marks except brackets: tools print figures in these too. */
const behindFigures = /\s(?:[<#!?;←⟵→⇒⇐✅✔✓✗❌⚠🚀–—]|\/\/|--|[=-]>)/u

/** Figures without the note after them, `1144.97 [#/sec] (mean)  <-- best`; bracketed text stays. */
export function withoutNote(text: string): string {
  const end = text.length > 1_000 || !anyMark.test(text) ? -1 : text.search(behindFigures)
  return end < 0 ? text : text.slice(0, end).trimEnd()
}

/** A line without the note after it, then without any marks; only versions that differ from it. */
export function listPlain(text: string): readonly string[] {
  return [withoutNote(text), withoutAnnotations(text) ?? text].filter((plain) => plain !== text)
}

/**
 * A reader that gets each line that it cannot read once more without its author's marks. For readers that keep nothing
 * of a line they refuse.
 */
export function readAnnotated(reader: BlockReader): BlockReader {
  return {
    push(line) {
      let answer = reader.push(line)
      if (!anyDigit.test(line.text)) return answer
      for (const text of answer === 'not-mine' || answer === 'outside' ? listPlain(line.text) : []) {
        answer = reader.push({ ...line, text })
        if (answer === 'taken' || answer === 'last') break
      }
      return answer
    },
    end: (atEnd) => reader.end(atEnd),
  }
}

/** A line without a digit has no figure. */
const anyDigit = /\d/
