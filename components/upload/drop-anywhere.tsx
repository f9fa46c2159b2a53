'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { announceFailure } from '../ui/toasts'
import styles from './drop-anywhere.module.css'
import { ProjectDialog, type ProjectChoice } from './project-dialog'
import { UploadStatus } from './upload-status'
import { useUploadQueue } from './use-upload-queue'

/** Opens the file chooser: `window.dispatchEvent(new Event(chooseFileEvent))`. */
export const chooseFileEvent = 'tailboard:choose-file'
/** Reads a text: `window.dispatchEvent(new CustomEvent(readTextEvent, { detail: text }))`. */
export const readTextEvent = 'tailboard:read-text'

const asFile = (text: string) => new File([text], 'pasted.txt', { type: 'text/plain' })

/** Pasting there means writing there. */
function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable="true"]') !== null
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true

interface Props {
  /** Null (home): the project is asked for. */
  readonly projectSlug: string | null
  readonly projects?: readonly ProjectChoice[]
  /** False: the viewer's role in the project does not allow it. */
  readonly mayUpload?: boolean
}

/** Makes the whole window take load test output: dropped, pasted or chosen. */
export function DropAnywhere({ projectSlug, projects = [], mayUpload = true }: Props) {
  const queue = useUploadQueue()
  const chooser = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [asking, setAsking] = useState<readonly File[]>([])

  const take = (files: readonly File[]) => {
    if (files.length === 0) return
    if (!mayUpload)
      return announceFailure(new Error('Your role in this project is viewer, which may not upload to it.'))
    if (projectSlug === null) setAsking((before) => [...before, ...files])
    else queue.send(projectSlug, files)
  }

  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (isTextField(event.target) || !event.clipboardData) return
    const files = [...event.clipboardData.files]
    const text = event.clipboardData.getData('text/plain')
    if (files.length === 0 && text.trim() === '') return
    event.preventDefault()
    take(files.length > 0 ? files : [asFile(text)])
  })
  const onDrop = useEffectEvent((event: DragEvent) => {
    setOver(false)
    if (!hasFiles(event)) return
    event.preventDefault()
    take([...(event.dataTransfer?.files ?? [])])
  })
  const onDrag = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault() // else the browser opens the file
    if (!over) setOver(true)
  })
  // Leaving for another element of the page has a relatedTarget, leaving the window has none.
  const onLeave = useEffectEvent((event: DragEvent) => {
    if (event.relatedTarget === null) setOver(false)
  })
  const onText = useEffectEvent((event: Event) => {
    if (event instanceof CustomEvent && typeof event.detail === 'string') take([asFile(event.detail)])
  })

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    window.addEventListener('paste', (event) => onPaste(event), { signal })
    window.addEventListener('drop', (event) => onDrop(event), { signal })
    window.addEventListener('dragenter', (event) => onDrag(event), { signal })
    window.addEventListener('dragover', (event) => onDrag(event), { signal })
    window.addEventListener('dragleave', (event) => onLeave(event), { signal })
    window.addEventListener(chooseFileEvent, () => chooser.current?.click(), { signal })
    window.addEventListener(readTextEvent, (event) => onText(event), { signal })
    return () => controller.abort()
  }, [])

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
      {over && (
        <div className={styles.overlay}>
          <p className={styles.message}>Drop load test output</p>
        </div>
      )}
      {asking.length > 0 && (
        <ProjectDialog
          projects={projects}
          files={asking}
          onChoose={(slug) => {
            setAsking([])
            queue.send(slug, asking)
          }}
          onCancel={() => setAsking([])}
        />
      )}
      <UploadStatus files={queue.files} busy={queue.busy} onCancel={queue.cancel} onClose={queue.clear} />
    </>
  )
}
