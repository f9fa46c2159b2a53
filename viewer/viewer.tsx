import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { CopyButton } from '@/components/ui/actions/copy-button'
import { Toasts } from '@/components/ui/actions/toasts'
import { Exports } from './exports'
import { FileList } from './file-list'
import { Frame } from './frame'
import type { Given } from './given-files'
import { maxLinkBytes, readLink, writeLink, type ReadLink } from './link'
import { createReader, type ViewedFile } from './read-files'
import { findServer, sendFiles } from './send-files'
import { titleOf, useShown, type Shown } from './shown'
import { ShownRuns } from './shown-runs'
import { StartPage } from './start-page'

interface Props {
  readonly makeWorker: () => Worker
  /** What the page was given before its code was there. */
  readonly first: Given
}

/** Files in, the page of a run, a comparison, a matrix or a sweep out. */
export function Viewer({ makeWorker, first }: Props) {
  const { files, take, remove } = useFiles(makeWorker, first)
  const link = useLink()
  const shown = useShown(files, link)
  useEffect(() => {
    document.title = shown === null ? 'Tailboard viewer' : `${titleOf(shown)} · Tailboard`
  })
  return (
    <Frame
      take={take}
      canAdd={files.length > 0 || shown !== null}
      actions={
        <>
          {shown !== null && <LinkButton shown={shown} />}
          <SendButton files={files} />
        </>
      }
      exports={shown !== null && <Exports of={shown.of} />}
    >
      {(choose) => (
        <>
          {link?.kind === 'refused' && (
            <p className="notice notice-error" role="alert">
              {link.sentence}
            </p>
          )}
          {shown === null && files.length === 0 && <StartPage onChoose={choose} onTake={take} />}
          <FileList files={files} onRemove={remove} />
          {shown !== null && <ShownRuns shown={shown} files={files} />}
          <Toasts />
        </>
      )}
    </Frame>
  )
}

function LinkButton({ shown: { sides, view } }: { readonly shown: Shown }) {
  const link = writeLink(sides)
  if (link === null)
    return (
      <span className="muted text-13">
        Too large for a link ({maxLinkBytes / 1024} kB): save it as a file instead, under More.
      </span>
    )
  const query = view === 'compare' ? '' : `?view=${view}`
  return <CopyButton text={`${window.location.href.split(/[?#]/)[0] ?? ''}${query}#${link}`} label="Copy link" />
}

/** The files as they are, to the server that this page is of, or that it was made for. */
function SendButton({ files }: { readonly files: readonly ViewedFile[] }) {
  const server = findServer()
  const sent = files.flatMap(({ bytes }) => bytes ?? [])
  if (server === null || sent.length === 0) return null
  return (
    <button type="button" className="button" title={server.host} onClick={() => sendFiles(sent, server)}>
      Send to a server
    </button>
  )
}

function useFiles(makeWorker: () => Worker, first: Given) {
  const [files, setFiles] = useState<readonly ViewedFile[]>([])
  const [reader] = useState(() => createReader(makeWorker))
  const lastId = useRef(0)
  const entryOf = (one: Omit<ViewedFile, 'id'>): ViewedFile => ({ ...one, id: (lastId.current += 1) })
  const take = (given: Given) => {
    const taken = given.files.map(({ name, bytes, folder }) =>
      entryOf({ ...{ name, bytes, folder }, state: { kind: 'reading', readBytes: 0 } }),
    )
    const refused = given.refused.map(({ name, sentence }) =>
      entryOf({ name, bytes: null, folder: null, state: { kind: 'failed', sentence, isNoResult: false } }),
    )
    setFiles((before) => [...before, ...taken, ...refused])
    for (const file of taken)
      reader.read(file, (state) =>
        setFiles((before) => before.map((one) => (one.id === file.id ? { ...one, state } : one))),
      )
  }
  const takeFirst = useEffectEvent(() => take(first))
  useEffect(() => takeFirst(), [])
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
