/** An error's message as a sentence: importers write messages as parts of one. */
export function errorSentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}

interface ErrorPlace {
  readonly line?: number | null
  /** 0-based, of inputs without lines. */
  readonly offset?: number | null
}

/** An error as one readable line, for terminals: what is wrong, where, and what to do. */
export function errorLine(sentence: string, { line, offset }: ErrorPlace, more: readonly (string | null)[]): string {
  const place = line ? ` (line ${line})` : offset ? ` (byte ${offset})` : ''
  return [sentence.replace(/\.$/, `${place}.`), ...more.filter((part) => part !== null)].join(' ')
}
