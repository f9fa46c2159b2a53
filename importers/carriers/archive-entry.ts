import type { Bytes } from '../importer'
import { ImportError } from '../../lib/errors'

/** One file of an archive, or why it is not read. `name` as in the archive. */
export type ArchiveEntry =
  | { readonly kind: 'file'; readonly name: string; readonly bytes: Bytes }
  | { readonly kind: 'refused'; readonly name: string; readonly error: ImportError }

/** Folders, and files that desktops add: skipped silently. */
export function isNoise(name: string): boolean {
  return name.endsWith('/') || /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|\._[^/]*$)/.test(name)
}

/** Why an entry of this name is not read; null: it may be. No honest tool writes names that lead out of the archive. */
export function refuseName(name: string): ImportError | null {
  const parts = name.split(/[\\/]/)
  if (name !== '' && !/^[\\/]|^[a-z]:|\0/i.test(name) && !parts.includes('..')) return null
  return new ImportError('malformed', 'its name points outside the archive', {
    hint: 'Pack the files again without paths.',
  })
}

/** The error for a link, a device or a pipe. */
export function refuseType(what: string): ImportError {
  return new ImportError('unknown-format', `it is ${what}, not a file`, { hint: 'Pack the file itself.' })
}

const typeNames: Readonly<Record<string, string>> = {
  link: 'a hard link',
  symlink: 'a symbolic link',
  'character-device': 'a device',
  'block-device': 'a device',
  fifo: 'a pipe',
}

/** Why an entry of a tar is not read, by its name and the word for its type; null: it may be. */
export const refuseTarEntry = (name: string, type: string): ImportError | null =>
  type === 'file' || type === 'contiguous-file'
    ? refuseName(name)
    : refuseType(typeNames[type] ?? `of the type ${type}`)
