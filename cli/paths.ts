import path from 'node:path'

/** How a system writes paths: `node:path`, in tests that of another system. */
type Paths = Pick<typeof path, 'sep' | 'isAbsolute' | 'relative' | 'resolve'>

/** A file's name as shown and as sides are told apart by: relative to the folder if it is in it, with `/`. */
export function shownName(file: string, cwd: string, { sep, isAbsolute, relative }: Paths = path): string {
  const place = relative(cwd, file)
  const isOutside = place === '..' || place.startsWith(`..${sep}`) || isAbsolute(place)
  return (isOutside ? file : place).replaceAll(sep, '/')
}

/** Whether a word may name several files. */
export const isGlob = (word: string): boolean => magic.test(word)
const magic = /[*?[{]|[!+@]\(/

/**
 * A glob as a folder, which may be on any drive and have brackets in its name, and the pattern below it, with `/`. Where
 * backslashes separate folders, they escape nothing.
 */
export function globParts(
  glob: string,
  cwd: string,
  { sep, resolve }: Paths = path,
): { readonly folder: string; readonly pattern: string } {
  const isEscaping = sep !== '\\'
  const slashed = isEscaping ? glob : glob.replaceAll('\\', '/')
  const cut = slashed.lastIndexOf('/', slashed.search(magic)) + 1
  const named = isEscaping ? slashed.slice(0, cut).replace(/\\(.)/g, '$1') : slashed.slice(0, cut)
  return { folder: resolve(cwd, named), pattern: slashed.slice(cut) }
}
