import { expect, it } from 'vitest'
import { droppedFiles, givenFiles } from '@/viewer/given-files'

/** What a browser says of a folder: some entries at a time. */
function folder(fullPath: string, children: readonly FileSystemEntry[]): FileSystemEntry {
  const createReader = () => {
    const left = [...children]
    const readEntries = (done: (some: readonly FileSystemEntry[]) => void) => done(left.splice(0, 2))
    return { readEntries }
  }
  const name = fullPath.split('/').at(-1)
  return { name, fullPath, isDirectory: true, isFile: false, createReader } as unknown as FileSystemEntry
}

const file = (fullPath: string): FileSystemEntry => {
  const given = (done: (one: File) => void) => done(new File(['x'], fullPath.split('/').at(-1) ?? ''))
  return { fullPath, isDirectory: false, isFile: true, file: given } as unknown as FileSystemEntry
}

const dropped = (...entries: readonly FileSystemEntry[]) => {
  const items = entries.map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entry }))
  return droppedFiles({ items } as unknown as DataTransfer)
}

it('takes all files of a dropped folder and below, in the order of their numbers, hidden ones aside', async () => {
  const names = ['10.txt', '2.txt', '.DS_Store', '1.txt'].map((name) => file(`/runs/base/${name}`))
  const given = await dropped(
    folder('/runs', [folder('/runs/base', names), folder('/runs/.git', [file('/runs/.git/HEAD')])]),
    file('/after.txt'),
  )
  expect(given.files.map(({ name, folder: of }) => [name, of])).toEqual([
    ['runs/base/1.txt', 'runs'],
    ['runs/base/2.txt', 'runs'],
    ['runs/base/10.txt', 'runs'],
    ['after.txt', null],
  ])
  expect(given.refused).toEqual([])
})

it('says that a folder is empty, or has too many files', async () => {
  const empty = await dropped(folder('/empty', [folder('/empty/below', [])]))
  expect(empty).toEqual({ files: [], refused: [{ name: 'empty', sentence: 'There is no file in this folder.' }] })
  const many = Array.from({ length: 1_200 }, (_, at) => file(`/many/${at}.txt`))
  const { files, refused } = await dropped(folder('/many', many))
  expect(files).toHaveLength(1_000)
  expect(refused).toEqual([{ name: 'many', sentence: 'Its first 1000 files are read: it has more.' }])
})

it('takes the files of a chosen folder by their places in it', () => {
  const chosen = ['runs/b/1.txt', 'runs/a/1.txt', 'runs/.hidden'].map((place) =>
    Object.defineProperty(new File(['x'], '1.txt'), 'webkitRelativePath', { value: place }),
  )
  const given = givenFiles(chosen)
  expect(given.files.map(({ name }) => name)).toEqual(['runs/a/1.txt', 'runs/b/1.txt'])
})
