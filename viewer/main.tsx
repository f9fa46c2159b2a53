/** All that reads, judges and draws: run in the page when it is given something, and in the thread that reads files. */
import { readOne, type ToRead } from './reader'
import { Viewer } from './viewer'

if (typeof document === 'undefined') {
  const say = (said: unknown) => globalThis.postMessage(said)
  globalThis.onmessage = ({ data }: MessageEvent<ToRead>) =>
    // What only rejects a promise does not reach the page.
    void readOne(data, say).catch(reportError)
} else globalThis.tailboardViewer = Viewer
