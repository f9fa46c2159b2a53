/**
 * What a browser reads before it is given anything: the page with nothing on it. All that reads, judges and draws is
 * text in the page until then; it runs with this script's React, in the page as in the thread that reads files.
 */
import * as React from 'react'
import * as jsx from 'react/jsx-runtime'
import * as ReactDom from 'react-dom'
import { createRoot } from 'react-dom/client'
import { showRememberedTheme } from '@/components/ui/theme'
import { Start } from './start-root'

globalThis.tailboardShared = { react: React, 'react/jsx-runtime': jsx, 'react-dom': ReactDom }

if (typeof document !== 'undefined') {
  const own = document.currentScript?.textContent ?? ''
  const rest = document.getElementById('rest')?.textContent ?? ''
  const load = () => {
    const script = document.createElement('script')
    script.textContent = rest
    document.head.append(script)
    const viewer = globalThis.tailboardViewer
    if (viewer === undefined) throw new Error('the page holds its viewer')
    return viewer
  }
  // From a folder, no other file could be loaded.
  const makeWorker = () => new Worker(URL.createObjectURL(new Blob([own, '\n', rest], { type: 'text/javascript' })))
  showRememberedTheme()
  const root = document.getElementById('root')
  if (root !== null) createRoot(root).render(<Start load={load} makeWorker={makeWorker} />)
}
