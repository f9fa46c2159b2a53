'use client'

import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { roleRefusal } from '@/lib/account/right-words'
import { isField } from '../ui/is-field'
import { useAccess, useIsAllowed } from '../ui/actions/access'
import { announceFailure } from '../ui/actions/toasts'
import styles from './drop-anywhere.module.css'
import { awaitHandedFiles } from './handed-files'
import type { ProjectChoice } from './project-dialog'
import type { UploadQueue } from './upload-queue'

/** The code that sends files is loaded with the first of them: most pages send none. */
const taking = () => import('./taken-files')
const TakenFiles = lazy(async () => ({ default: (await taking()).TakenFiles }))
const ProjectDialog = lazy(async () => ({ default: (await import('./project-dialog')).ProjectDialog }))

/** Opens the file chooser: `window.dispatchEvent(new Event(chooseFileEvent))`. */
export const chooseFileEvent = 'tailboard:choose-file'
/** Reads a text: `window.dispatchEvent(new CustomEvent(readTextEvent, { detail: text }))`. */
export const readTextEvent = 'tailboard:read-text'

const asFile = (text: string) => new File([text], 'pasted.txt', { type: 'text/plain' })

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true

interface Props {
  /** Null (home): the user is asked for the project. */
  readonly projectSlug: string | null
  readonly projects: readonly ProjectChoice[]
}

/** Makes the whole window accept load test output: dropped, pasted or chosen. */
export function DropAnywhere({ projectSlug, projects }: Props) {
  const { role } = useAccess()
  const mayUpload = useIsAllowed('upload')
  const chooser = useRef<HTMLInputElement>(null)
  const [asking, setAsking] = useState<readonly File[]>([])
  const { send, onReady, isTaking } = useLateQueue()
  const take = (files: readonly File[]) => {
    if (files.length === 0) return
    if (!mayUpload) return announceFailure(new Error(`${roleRefusal(role, 'upload')}.`))
    if (projectSlug === null) setAsking((before) => [...before, ...files])
    else send(projectSlug, files)
  }
  const isOver = useWindowFiles(take, () => chooser.current?.click())
  return (
    <>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label="Load test output"
        onChange={(event) => {
          take([...(event.target.files ?? [])])
          event.target.value = '' // the same file may be chosen again
        }}
      />
      {isOver && (
        <div className={`grid ${styles.overlay}`}>
          <p className={`bold flush ${styles.message}`}>Drop load test output</p>
        </div>
      )}
      <Suspense>
        {asking.length > 0 && (
          <ProjectDialog
            projects={projects}
            files={asking}
            onChoose={(slug) => {
              setAsking([])
              send(slug, asking)
            }}
            onCancel={() => setAsking([])}
          />
        )}
      </Suspense>
      <Suspense>{isTaking && <TakenFiles onReady={onReady} />}</Suspense>
    </>
  )
}

/** The queue whose code is loaded with the first files: what is sent before it is there waits for it. */
function useLateQueue() {
  const [isTaking, setIsTaking] = useState(false)
  const sender = useRef<UploadQueue['send'] | null>(null)
  const early = useRef<readonly Parameters<UploadQueue['send']>[]>([])
  const send: UploadQueue['send'] = (slug, files) => {
    if (sender.current !== null) return sender.current(slug, files)
    early.current = [...early.current, [slug, files]]
    setIsTaking(true)
  }
  const onReady = (ready: UploadQueue['send']) => {
    sender.current = ready
    for (const [slug, files] of early.current) ready(slug, files)
    early.current = []
  }
  return { send, onReady, isTaking }
}

/**
 * Takes what is pasted or dropped anywhere, what a viewer hands over, and texts of our own event; returns whether files
 * are held over the window.
 */
function useWindowFiles(take: (files: readonly File[]) => void, choose: () => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    // Pasting into a field is writing there.
    if (isField(event.target) || !event.clipboardData) return
    const files = [...event.clipboardData.files]
    const text = event.clipboardData.getData('text/plain')
    if (files.length === 0 && text.trim() === '') return
    event.preventDefault()
    take(files.length > 0 ? files : [asFile(text)])
  })
  const onDrop = useEffectEvent((event: DragEvent) => {
    setIsOver(false)
    if (!hasFiles(event)) return
    event.preventDefault()
    take([...(event.dataTransfer?.files ?? [])])
  })
  const onDrag = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault() // else the browser opens the file
    if (!isOver) void taking()
    setIsOver(true)
  })
  // Leaving for another element of the page has a relatedTarget, leaving the window has none.
  const onLeave = useEffectEvent((event: DragEvent) => {
    if (event.relatedTarget === null) setIsOver(false)
  })
  const onText = useEffectEvent((event: Event) => {
    if (event instanceof CustomEvent && typeof event.detail === 'string') take([asFile(event.detail)])
  })
  const onChoose = useEffectEvent(choose)
  const onHanded = useEffectEvent(take)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    window.addEventListener('paste', (event) => onPaste(event), { signal })
    window.addEventListener('drop', (event) => onDrop(event), { signal })
    window.addEventListener('dragenter', (event) => onDrag(event), { signal })
    window.addEventListener('dragover', (event) => onDrag(event), { signal })
    window.addEventListener('dragleave', (event) => onLeave(event), { signal })
    window.addEventListener(chooseFileEvent, () => onChoose(), { signal })
    window.addEventListener(readTextEvent, (event) => onText(event), { signal })
    signal.addEventListener(
      'abort',
      awaitHandedFiles((files) => onHanded(files)),
    )
    return () => controller.abort()
  }, [])
  return isOver
}
