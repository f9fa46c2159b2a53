import { InvalidInputError } from '../../lib/errors'
import { nameLimits, oneLine } from '../../lib/history/proposed-names'
import { codePointCount, storableText } from '../../lib/text'

/** Longest texts for the columns (and their indices), in code points; notes in UTF-8 bytes. */
export const limits = { ...nameLimits, notesBytes: 20_000, uploadName: 255 }

/** A user's name (of a scenario, variant, environment or project), on one line. Throws InvalidInputError. */
export function checkedName(field: string, text: string): string {
  const name = oneLine(text)
  if (name === '') throw new InvalidInputError(`The ${field} is empty.`, { field })
  if (codePointCount(name) > limits.name) {
    throw new InvalidInputError(`The ${field} is longer than ${limits.name} characters.`, { field })
  }
  return name
}

/** As `checkedName`; null and empty mean "none". */
export function checkedOptionalName(field: string, text: string | null): string | null {
  return text === null || oneLine(text) === '' ? null : checkedName(field, text)
}

/** A user's labels. Throws InvalidInputError. */
export function checkedLabels(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(labels).map(([key, value]): [string, string] => [oneLine(key), oneLine(value)])
  const field = 'labels'
  if (entries.length > limits.labels) {
    throw new InvalidInputError(`There are ${entries.length} labels; a run can have ${limits.labels}.`, { field })
  }
  for (const [key, value] of entries) {
    if (key === '') throw new InvalidInputError('A label needs a name before its =.', { field })
    if (codePointCount(key) > limits.labelKey) {
      throw new InvalidInputError(`A label's name is longer than ${limits.labelKey} characters.`, { field })
    }
    if (codePointCount(value) > limits.labelValue) {
      throw new InvalidInputError(`The label ${key} is longer than ${limits.labelValue} characters.`, { field })
    }
  }
  return Object.fromEntries(entries)
}

/** A user's notes, with their lines. Throws InvalidInputError. */
export function checkedNotes(notes: string): string {
  const text = storableText(notes)
  if (Buffer.byteLength(text) > limits.notesBytes) {
    throw new InvalidInputError(`The notes are longer than ${limits.notesBytes / 1000} kB.`, { field: 'notes' })
  }
  return text
}
