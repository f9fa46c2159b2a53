import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { readTables } from '@/components/charts/plot/table'
import type { PreparedComparison } from '@/components/compare/prepare-comparison'
import { isField } from '@/components/ui/is-field'
import { Toasts } from '@/components/ui/actions/toasts'
import type { LocalFile } from '@/lib/files/local-runs'
import type { StoredRun } from '@/lib/history/stored-runs'
import { arrange, keyOf, prepareSides, type Arranged } from './arrange'
import { FileList } from './file-list'
import { readLink, type ReadLink } from './link'
import { useSearchParams } from './next-navigation'
import { createReader, type ViewedFile } from './read-files'
import { StartPage } from './start-page'
import { SideNames } from './side-names'
import { ViewerBar } from './viewer-bar'
import { ViewedComparison } from './viewed-comparison'
import styles from './viewer.module.css'

/** The page without a server: files in, the page of a run or a comparison out. */
export function Viewer({ makeWorker }: { readonly makeWorker: () => Worker }) {
  const { files, take, remove } = useFiles(makeWorker)
  const chooser = useRef<HTMLInputElement>(null)
  const isOver = useWindowFiles(take)
  const link = useLink()
  const [order, setOrder] = useState<'as-given' | 'swapped'>('as-given')
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const [pairing, setPairing] = useState(0)
  const tables = readTables(useSearchParams().getAll('table'))
  const arranged = useArranged(files, link)
  const { title: _title, sides: given = [] } = arranged.pairings[pairing] ?? arranged.pairings[0] ?? {}
  const sides = named(order === 'swapped' ? [...given].reverse() : given, names)
  const prepared = prepareSides(sides, tables)
  const choose = () => chooser.current?.click()
  useEffect(() => {
    document.title = prepared === null ? 'Tailboard viewer' : `${titleOf(prepared)} · Tailboard`
  })
  return (
    <>
      <ViewerBar prepared={prepared} sides={sides} onAdd={files.length > 0 || prepared !== null ? choose : null} />
      <main className={`page ${styles.page}`} id="page">
        {link?.kind === 'refused' && (
          <p className="notice notice-error" role="alert">
            {link.sentence}
          </p>
        )}
        {prepared === null && files.length === 0 && <StartPage onChoose={choose} onTake={take} />}
        <FileList files={files} onRemove={remove} />
        {arranged.notes.map((note) => (
          <p key={note} className="notice">
            {note}
          </p>
        ))}
        {prepared !== null && (
          <>
            <Pairings titles={arranged.pairings.map(({ title }) => title)} chosen={pairing} onChoose={setPairing} />
            <SideNames
              prepared={prepared}
              files={files}
              onName={(key, name) => setNames({ ...names, [key]: name })}
              onSwap={() => setOrder(order === 'swapped' ? 'as-given' : 'swapped')}
            />
            <ViewedComparison prepared={prepared} tables={tables} />
          </>
        )}
      </main>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label="Files to show"
        onChange={({ target }) => {
          take([...(target.files ?? [])])
          target.value = ''
        }}
      />
      {isOver && <p className={`bold ${styles.over}`}>Drop load test output</p>}
      <Toasts />
    </>
  )
}

const titleOf = (prepared: PreparedComparison): string =>
  prepared.sides.length === 1 ? (prepared.names[0] ?? '') : prepared.comparison.sentence

/** Edited names are variants, as in the preview of an upload. */
const named = (sides: readonly (readonly StoredRun[])[], names: Readonly<Record<string, string>>) =>
  sides.map((side) => {
    const variant = names[keyOf(side)]?.trim() ?? ''
    return variant === '' ? side : side.map((run) => ({ ...run, variant }))
  })

/** Files win over a link: whoever drops some wants to see them. */
function useArranged(files: readonly ViewedFile[], link: ReadLink): Arranged {
  return useMemo(() => {
    const read = files.flatMap(({ name, writtenAt, state }): (LocalFile & { readonly count: number })[] =>
      state.kind === 'read'
        ? [{ input: { name, path: name }, writtenAt, file: state.file, count: state.runCount }]
        : [],
    )
    if (read.length === 0 && link?.kind === 'sides') return { pairings: [{ title: '', sides: link.sides }], notes: [] }
    const runCount = read.reduce((sum, { count }) => sum + count, 0)
    return arrange(read, runCount, Date.now())
  }, [files, link])
}

function useFiles(makeWorker: () => Worker) {
  const [files, setFiles] = useState<readonly ViewedFile[]>([])
  const [reader] = useState(() => createReader(makeWorker))
  const lastId = useRef(0)
  const take = (given: readonly File[]) => {
    const taken = given.map((bytes): { file: ViewedFile; bytes: File } => {
      lastId.current += 1
      const name = bytes.webkitRelativePath === '' ? bytes.name : bytes.webkitRelativePath
      const writtenAt = new Date(bytes.lastModified)
      return {
        file: { id: lastId.current, name, sizeBytes: bytes.size, writtenAt, state: { kind: 'reading', readBytes: 0 } },
        bytes,
      }
    })
    setFiles((before) => [...before, ...taken.map(({ file }) => file)])
    for (const { file, bytes } of taken)
      reader.read(file, bytes, (state) =>
        setFiles((before) => before.map((one) => (one.id === file.id ? { ...one, state } : one))),
      )
  }
  const remove = (id: number) => setFiles((before) => before.filter((one) => one.id !== id))
  return { files, take, remove }
}

/** The link that the page was opened with, or that was pasted into its address since. */
function useLink(): ReadLink {
  const [link, setLink] = useState(() => readLink(window.location.hash, Date.now()))
  useEffect(() => {
    const onHash = () => {
      const next = readLink(window.location.hash, Date.now())
      if (next !== null) setLink(next)
    }
    window.addEventListener('hashchange', onHash)
    return () => window.removeEventListener('hashchange', onHash)
  }, [])
  return link
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true

/** Takes what is dropped or pasted anywhere; returns whether files are held over the window. */
function useWindowFiles(take: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (isField(event.target) || !event.clipboardData) return
    const files = [...event.clipboardData.files]
    const text = event.clipboardData.getData('text/plain')
    if (files.length > 0) take(files)
    else if (text.trim() !== '') take([new File([text], 'pasted.txt', { type: 'text/plain' })])
  })
  const onDrop = useEffectEvent((event: DragEvent) => {
    setIsOver(false)
    if (!hasFiles(event)) return
    event.preventDefault()
    take([...(event.dataTransfer?.files ?? [])])
  })
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const onDrag = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault() // else the browser opens the file
      setIsOver(true)
    }
    window.addEventListener('paste', (event) => onPaste(event), { signal })
    window.addEventListener('drop', (event) => onDrop(event), { signal })
    window.addEventListener('dragenter', onDrag, { signal })
    window.addEventListener('dragover', onDrag, { signal })
    window.addEventListener('dragleave', (event) => event.relatedTarget === null && setIsOver(false), { signal })
    return () => controller.abort()
  }, [])
  return isOver
}

/** Documents with runs of several names have a comparison for each. */
function Pairings(props: { titles: readonly string[]; chosen: number; onChoose: (at: number) => void }) {
  const { titles, chosen, onChoose } = props
  if (titles.length < 2) return null
  return (
    <p className="row wrap gap-8 below-12">
      <label className="row gap-8 text-13">
        Compare
        <select className="select" value={chosen} onChange={({ target }) => onChoose(Number(target.value))}>
          {titles.map((title, at) => (
            <option key={title} value={at}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </p>
  )
}
