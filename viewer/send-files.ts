import { handingChannel, handingParam, viewerReady, type HandedFiles } from '@/components/upload/handed-files'

/**
 * Where files can be sent: the server whose page this is, or the one that the page's own `tailboard-server` names; null:
 * none.
 */
export function findServer(): URL | null {
  const named = document.querySelector<HTMLMetaElement>('meta[name="tailboard-server"]')?.content ?? ''
  if (named === '' || !URL.canParse(named, window.location.href)) return null
  const url = new URL(named, window.location.href)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null
}

/**
 * Opens a window of the server and gives it the files: this page itself sends nothing. Its own server asks for the
 * project; another one shows them in its viewer first.
 */
export function sendFiles(files: readonly File[], server: URL): void {
  if (server.origin === window.location.origin) giveToPage(files)
  else giveToViewer(files, server.origin)
}

function giveToPage(files: readonly File[]): void {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
  const channel = new BroadcastChannel(handingChannel)
  channel.onmessage = ({ data }: MessageEvent<Partial<{ ready: string }>>) => {
    if (data.ready !== id) return
    channel.postMessage({ id, files } satisfies HandedFiles)
    channel.close()
  }
  window.open(`/?${handingParam}=${id}`, '_blank', 'noopener')
}

function giveToViewer(files: readonly File[], origin: string): void {
  const opened = window.open(`${origin}/viewer`)
  const controller = new AbortController()
  window.addEventListener(
    'message',
    (event) => {
      if (event.source !== opened || event.origin !== origin || event.data !== viewerReady) return
      controller.abort()
      opened?.postMessage({ files }, origin)
    },
    { signal: controller.signal },
  )
}
