import { writeRunJson } from '../export/run-json'
import { formatCount } from '../format'
import type { ImportedRun, UtcIso } from '../run/run'

/** The kind of an upload created by merging, not sent by anybody. */
export const mergedUploadKind = 'merged runs'

/**
 * A merged run as its own document, which any Tailboard reads: what it was made of, then its figures; and their place
 * in it.
 */
export function writeMergedDocument(
  run: ImportedRun,
  /** `source`: where the part's own output is. */
  parts: readonly { readonly name: string; readonly source: string; readonly requests: number | null }[],
  at: UtcIso,
): { readonly text: string; readonly lines: readonly [first: number, last: number] } {
  const head = [
    `# One run of ${parts.length} generators`,
    '',
    `Merged by Tailboard on ${at} from these runs, whose own output stays in their uploads:`,
    '',
    ...parts.map(({ name, source, requests }) => {
      const count = requests === null ? '' : `, ${formatCount(requests)} requests`
      return `- ${name.replace(/[\r\n]+/g, ' ')}${count} (${source})`
    }),
    '',
    '```json',
  ]
  const figures = writeRunJson(run)
  const text = [...head, ...figures, '```', ''].join('\n')
  return { text, lines: [head.length + 1, head.length + figures.length] }
}
