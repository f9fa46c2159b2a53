/** A file that was dropped, chosen, pasted or handed over. */
export interface GivenFile {
  /** With the folders above it, down from the dropped one. */
  readonly name: string
  readonly bytes: File
  /** The dropped folder that it is in: beside results, other files of it are no news. Null: the file itself was given. */
  readonly folder: string | null
}

/** What was given, and in sentences what of it is not read, by name. */
export interface Given {
  readonly files: readonly GivenFile[]
  readonly refused: readonly { readonly name: string; readonly sentence: string }[]
}

/** Files of one folder: more is hardly one, and no page shows as many runs. */
const maxFolderFiles = 1_000

/** Files as a browser lists them; those of a chosen folder have its name before theirs. */
export function givenFiles(files: readonly File[]): Given {
  const named = files.map((bytes): GivenFile => {
    const [folder, ...rest] = bytes.webkitRelativePath.split('/')
    return rest.length === 0
      ? { name: bytes.name, bytes, folder: null }
      : { name: bytes.webkitRelativePath, bytes, folder: folder ?? null }
  })
  const folders = new Set(named.map(({ folder }) => folder))
  const parts = [...folders].map((folder) => {
    const own = named.filter((one) => one.folder === folder)
    return folder === null ? { files: own, refused: [] } : ofFolder(folder, own)
  })
  return joined(parts)
}

/** What was dropped: files, and those in folders and below, hidden ones aside. Starts within the event. */
export async function droppedFiles(transfer: DataTransfer): Promise<Given> {
  // The browser forgets its items when the event ends.
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  const entries = items.map((item) => item.webkitGetAsEntry() ?? item.getAsFile())
  const parts = await Promise.all(
    entries.map(async (entry): Promise<Given> => {
      if (entry === null) return joined([])
      if (entry instanceof File) return givenFiles([entry])
      if (!entry.isDirectory) return { files: [await fileOf(entry, null)], refused: [] }
      return ofFolder(entry.name, await below(entry, entry.name))
    }),
  )
  return joined(parts)
}

const joined = (parts: readonly Given[]): Given => ({
  files: parts.flatMap(({ files }) => files),
  refused: parts.flatMap(({ refused }) => refused),
})

/** Names with numbers in the order of their numbers. */
const collator = new Intl.Collator('en', { numeric: true })

function ofFolder(name: string, found: readonly GivenFile[]): Given {
  const shown = found.filter((one) => !one.name.split('/').some((part) => part.startsWith('.')))
  if (shown.length === 0) return { files: [], refused: [{ name, sentence: 'There is no file in this folder.' }] }
  const files = shown.toSorted((a, b) => collator.compare(a.name, b.name)).slice(0, maxFolderFiles)
  const sentence = `Its first ${maxFolderFiles} files are read: it has more.`
  return { files, refused: shown.length > maxFolderFiles ? [{ name, sentence }] : [] }
}

/** All files of a folder and below it, until there are more than are read. */
async function below(folder: FileSystemEntry, top: string): Promise<readonly GivenFile[]> {
  const found: GivenFile[] = []
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined && found.length <= maxFolderFiles; next = waiting.pop()) {
    if (next.isDirectory) waiting.push(...(await entriesOf(next as FileSystemDirectoryEntry)))
    else found.push(await fileOf(next, top))
  }
  return found
}

/** A browser gives some at a time, and at the end none. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<readonly FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail))
    if (some.length === 0) return all
    all.push(...some)
  }
}

async function fileOf(entry: FileSystemEntry, folder: string | null): Promise<GivenFile> {
  const bytes = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail))
  return { name: entry.fullPath.replace(/^\//, ''), bytes, folder }
}
