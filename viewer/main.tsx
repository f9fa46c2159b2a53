import { createRoot } from 'react-dom/client'
import { readOne, type ToRead } from './reader'
import { showRememberedTheme } from '@/components/ui/theme'
import { Viewer } from './viewer'

/** The page's own script, which its reader runs too: from a folder, no other file could be loaded. */
const source = typeof document === 'undefined' ? null : (document.currentScript?.textContent ?? '')

if (source === null) {
  const say = (said: unknown) => globalThis.postMessage(said)
  globalThis.onmessage = ({ data }: MessageEvent<ToRead>) =>
    // What only rejects a promise does not reach the page.
    void readOne(data, say).catch(reportError)
} else {
  showRememberedTheme()
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  const root = document.getElementById('root')
  if (root !== null) createRoot(root).render(<Viewer makeWorker={() => new Worker(address)} />)
}
