import type { LocalFile } from '@/lib/files/local-runs'

/** Files of one name, as from several folders, are told apart: `out.txt`, `out (2).txt`. */
export function apart<One extends LocalFile>(files: readonly One[]): readonly One[] {
  const given = new Set(files.map(({ input }) => input.name))
  const taken = new Set<string>()
  return files.map((file) => {
    let { name } = file.input
    const [, stem = name, end = ''] = /^(.*?)(\.[a-z0-9]{1,8})?$/is.exec(name) ?? []
    for (let count = 2; taken.has(name) || (count > 2 && given.has(name)); count += 1) name = `${stem} (${count})${end}`
    taken.add(name)
    return name === file.input.name ? file : { ...file, input: { name, path: name } }
  })
}

/** Whether files of one name, size and time are among them: one file, given twice. */
export function hasTwice(files: readonly (LocalFile & { readonly sizeBytes: number })[]): boolean {
  const identities = files.map(({ input, sizeBytes, writtenAt }) =>
    [input.name, sizeBytes, writtenAt.getTime()].join('\n'),
  )
  return new Set(identities).size < files.length
}
