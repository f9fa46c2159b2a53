import { stat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { globParts, isGlob, shownName } from './paths'
import type { Terminal } from './terminal'
import { UsageError } from './usage'

/** A file to read. */
export interface Input {
  /** As shown: relative to where the command runs, with `/`; `-` for standard input. */
  readonly name: string
  /** Null: standard input. */
  readonly path: string | null
  /** The folder that was named instead: other files in it may be no results. Null: the file itself was named. */
  readonly folder: string | null
}

/** Names with numbers in the order of their numbers. */
const collator = new Intl.Collator('en', { numeric: true })

/**
 * The files of one argument: a file, all files in a folder and below (hidden ones aside), a glob, or `-`. Throws
 * UsageError if there is none.
 */
export async function findInputs(argument: string, { cwd }: Terminal): Promise<readonly Input[]> {
  if (argument === '-') return [{ name: '-', path: null, folder: null }]
  const place = path.resolve(cwd, argument)
  const found = await stat(place).catch(() => null)
  if (found?.isDirectory()) return inFolder(argument, place, cwd)
  if (found !== null) return [inputOf(place, cwd)]
  const globbed = isGlob(argument) ? await expandGlob(argument, cwd) : []
  if (globbed.length === 0) throw new UsageError(`There is no file ${argument}`)
  return globbed
}

async function inFolder(argument: string, folder: string, cwd: string): Promise<readonly Input[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter(
      (file) =>
        !path
          .relative(folder, file)
          .split(path.sep)
          .some((part) => part.startsWith('.')),
    )
  if (files.length === 0) throw new UsageError(`There is no file in the folder ${argument}`)
  return files.map((file) => ({ ...inputOf(file, cwd), folder: argument })).sort(byName)
}

async function expandGlob(word: string, cwd: string): Promise<readonly Input[]> {
  const { glob } = await import('tinyglobby')
  const { folder, pattern } = globParts(word, cwd)
  const files = await glob([pattern], { cwd: folder, absolute: true, expandDirectories: false })
  return files.map((file) => inputOf(path.normalize(file), cwd)).sort(byName)
}

const byName = (a: Input, b: Input): number => collator.compare(a.name, b.name)

function inputOf(file: string, cwd: string): Input {
  return { name: shownName(file, cwd), path: file, folder: null }
}
