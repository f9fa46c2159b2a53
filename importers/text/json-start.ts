import type { Line } from '../importer'
import { createStartTest } from './first-character'

const mayOpen = createStartTest('{[')

/**
 * How a JSON object or a list of objects begins on this line, without leading blanks: the line, or the first lines if
 * its bracket is alone (`Line.objectStart`). Null: nothing of the kind begins here.
 */
export function jsonStart({ text, objectStart }: Line): string | null {
  if (!mayOpen(text)) return null
  const start = (objectStart ?? text).trimStart()
  return start.startsWith('{') || start.startsWith('[') ? start : null
}

const loneBrackets: ReadonlySet<string> = new Set(['{', '[', '[{', '[ {'])

/** Whether a line is only the opening bracket of an object, of a list, or of both. */
export const isLoneBracket = (text: string): boolean => mayOpen(text) && loneBrackets.has(text.trim())
