import type { Readable } from 'node:stream'

/** Where a command reads from and prints to; tests pass their own. */
export interface Terminal {
  readonly stdin: Readable
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** The folder of package.json, where the server is. */
  readonly root: URL
  readonly version: string
  /** The style sheet of the colours, `app/tokens.css`. */
  tokens(): string
  /** Imports a module that is not in the bundle. */
  load(address: string): Promise<unknown>
  /** Whether standard output is a terminal, and how many columns it has; null: unknown. */
  readonly isTerminal: boolean
  readonly columns: number | null
  /** Whether progress can be shown and removed again. */
  readonly showsProgress: boolean
  print(text: string): void
  /** Standard error. */
  report(text: string): void
}

const usualColumns = 80

/** The columns to lay text out for: the terminal's, or `COLUMNS`, or 80. */
export function columnsOf({ columns, env }: Pick<Terminal, 'columns' | 'env'>): number {
  const known = columns ?? Number(env['COLUMNS'] ?? '')
  return Number.isInteger(known) && known >= 20 ? known : usualColumns
}

/** A style of text; `plain` prints as it is. */
export type Style = 'bold' | 'dim' | 'green' | 'red' | 'plain'

const codes: Readonly<Record<Exclude<Style, 'plain'>, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  green: [32, 39],
  red: [31, 39],
}

export type Paint = (text: string, style: Style) => string

/** Styles on a terminal only, and never with NO_COLOR (https://no-color.org) or TERM=dumb. */
export function painter({ isTerminal, env }: Pick<Terminal, 'isTerminal' | 'env'>): Paint {
  const isPlain = !isTerminal || (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb'
  return (text, style) => {
    if (isPlain || style === 'plain') return text
    const [on, off] = codes[style]
    return `\u001b[${on}m${text}\u001b[${off}m`
  }
}

/** A text as terminals show it: plain spaces, no control codes of its own. */
export const printable = (text: string): string =>
  text.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')

const isWide = (letter: string): boolean =>
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]/u.test(
    letter,
  )
const isJoined = (letter: string): boolean => /\p{Mn}|\u200d|\ufe0f/u.test(letter)

/** Columns that a text takes. */
export function widthOf(text: string): number {
  let width = 0
  for (const letter of text) width += isJoined(letter) ? 0 : isWide(letter) ? 2 : 1
  return width
}

/** A text in exactly this many columns; a longer one ends in `…`. */
export function fit(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  let shown = text
  if (widthOf(text) > width) {
    shown = ''
    for (const letter of text) if (widthOf(shown + letter) < width) shown += letter
    shown += '…'
  }
  const room = ' '.repeat(Math.max(0, width - widthOf(shown)))
  return align === 'left' ? shown + room : room + shown
}

/** A text in lines of at most this many columns, broken between words. */
export function wrap(text: string, width: number, indent = ''): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of printable(text)
    .split(' ')
    .filter((one) => one !== '')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && widthOf(indent + longer) > width) {
      lines.push((lines.length === 0 ? '' : indent) + line)
      line = word
    } else line = longer
  }
  return line === '' ? lines : [...lines, (lines.length === 0 ? '' : indent) + line]
}
