import { InvalidInputError } from '../../lib/errors'
import { clipText, codePointCount, storableText } from '../../lib/text'

/** Longest texts for the columns (and their indices), in code points; notes in UTF-8 bytes. */
export const limits = { name: 200, labelKey: 100, labelValue: 200, labels: 50, notesBytes: 20_000, uploadName: 255 }

const oneLine = (text: string) => storableText(text).replace(/\s+/gu, ' ').trim()

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

/** A name that a file proposes: cut where a user's would be refused, because no user typed it. Null: none. */
export function proposedName(text: string | null): string | null {
  const name = oneLine(text ?? '')
  return name === '' ? null : clipText(name, limits.name)
}

/** Labels or attributes that a file proposes: values cut visibly, the first 50 only. */
export function proposedLabels(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(labels)
      .map(([key, value]): [string, string] => [
        clipText(oneLine(key), limits.labelKey),
        clipText(oneLine(value), limits.labelValue),
      ])
      .filter(([key]) => key !== '')
      .slice(0, limits.labels),
  )
}
