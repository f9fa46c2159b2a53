import { useEffect, useEffectEvent, useState } from 'react'
import { filesIn, viewerReady } from '@/components/upload/handed-files'
import { isField } from '@/components/ui/is-field'
import { droppedFiles, givenFiles, type Given } from './given-files'

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true

/** Takes what is dropped, pasted or handed over anywhere; returns whether files are held over the window. */
export function useWindowFiles(take: (given: Given) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (isField(event.target) || !event.clipboardData) return
    const files = [...event.clipboardData.files]
    const text = event.clipboardData.getData('text/plain')
    if (files.length > 0) take(givenFiles(files))
    else if (text.trim() !== '') take(givenFiles([new File([text], 'pasted.txt', { type: 'text/plain' })]))
  })
  const onDrop = useEffectEvent((event: DragEvent) => {
    setIsOver(false)
    if (!hasFiles(event) || event.dataTransfer === null) return
    event.preventDefault()
    void droppedFiles(event.dataTransfer).then(take)
  })
  const onMessage = useEffectEvent((event: MessageEvent) => {
    const files = event.source !== null && event.source === window.opener ? filesIn(event.data) : []
    if (files.length > 0) take(givenFiles(files))
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
    window.addEventListener('message', (event) => onMessage(event), { signal })
    // A viewer elsewhere opened this one for its files.
    const opener = window.opener as Window | null
    opener?.postMessage(viewerReady, '*')
    return () => controller.abort()
  }, [])
  return isOver
}
