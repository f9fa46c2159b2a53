import type { Line } from '../importer'
import { createStartTest } from './first-character'

const mayOpen = createStartTest('{[')

/**
 * How a JSON object or a list of objects begins in this line, without blanks before it: the line, or the first lines
 * where its bracket stands alone (`Line.objectStart`). Null: nothing of the kind begins here.
 */
export function jsonStart({ text, objectStart }: Line): string | null {
  if (!mayOpen(text)) return null
  const start = (objectStart ?? text).trimStart()
  return start.startsWith('{') || start.startsWith('[') ? start : null
}

const loneBrackets: ReadonlySet<string> = new Set(['{', '[', '[{', '[ {'])

/** Whether a line is nothing but the opening bracket of an object, of a list, or of both. */
export const isLoneBracket = (text: string): boolean => mayOpen(text) && loneBrackets.has(text.trim())
