import { readPair } from '@/lib/text'

/** Labels as text, one `key=value` per line. */
export function writeLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join('\n')
}

/** Reads `key=value` lines and ignores blank ones. Throws an Error that names an invalid line. */
export function readLabels(text: string): Record<string, string> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return Object.fromEntries(
    lines.map((line) => {
      const pair = readPair(line)
      if (pair === null) throw new Error(`“${line}” is not key=value.`)
      return pair
    }),
  )
}
