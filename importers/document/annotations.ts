/** What authors put before a line that they copied: a list mark, an arrow, a sign of joy. */
const before = /^(\s{0,40})(?:(?:[*+•→⇒➤►▶👉✅✔❌⚠🚀|-]\uFE0F?){1,3}|[=-]{1,3}>|>{1,3})\s{1,8}/u
/** What they put behind its last figure. A number alone is none: it may be another column. */
const behind = /\s(?:[<#(!?;←⟵→⇒⇐✅✔✓✗❌⚠🚀–—]|\/\/|--|[=-]>)/u

/** A line without any of these has no mark of its author's. */
const anyMark = /[*+|=<>#(!?;`_~/-]|[^\0-\x7f]/

/**
 * A line of a report without its author's marks: `- Requests/sec:   **2673.91**  <-- best` is `Requests/sec:   2673.91`.
 * Only for lines that cannot be read as they are. Null: there are no such marks.
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
