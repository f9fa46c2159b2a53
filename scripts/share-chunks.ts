import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** The name of the file's own source map: the only difference between equal chunks. */
const mapComment = /\n\/\/# sourceMappingURL=.*\s*$/

/**
 * Next writes shared code once per route: 25 equal chunks hold the database's client. All but the first become a
 * reference to it; otherwise each would be compiled at every start and kept in memory.
 */
export async function shareChunks(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js')).sort()
  const firstOf = new Map<string, string>()
  for (const name of names) {
    const file = path.join(folder, name)
    const text = (await readFile(file, 'utf8')).replace(mapComment, '')
    const first = firstOf.get(text)
    if (first === undefined) firstOf.set(text, name)
    else await writeFile(file, `module.exports=require(${JSON.stringify(`./${first}`)})\n`)
  }
}
