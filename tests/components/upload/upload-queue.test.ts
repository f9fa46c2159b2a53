import { describe, expect, it } from 'vitest'
import type { sendUpload, UploadAnswer } from '@/components/upload/send-upload'
import { UploadQueue } from '@/components/upload/upload-queue'

const file = (name: string) => new File(['1234567890'], name)

/** A queue whose uploads end when the test says so. */
function queueOf({ openDrafts = [] as readonly string[] } = {}) {
  const sent: { readonly name: string; end(answer: UploadAnswer): void; progress(sentBytes: number): void }[] = []
  const opened: (readonly string[])[] = []
  const send: typeof sendUpload = (_slug, _file, name, onProgress) => {
    const answer = new Promise<UploadAnswer>((resolve) => {
      sent.push({ name, end: resolve, progress: (sentBytes) => onProgress({ sentBytes, read: null }) })
    })
    return { answer, cancel: () => undefined }
  }
  const queue = new UploadQueue({
    sendUpload: send,
    onPreview: () => undefined,
    isOpen: (url) => openDrafts.includes(url),
    onSent: (urls, wasStopped) => {
      opened.push(urls)
      return wasStopped ? [] : urls
    },
  })
  const states = () => queue.view().files.map(({ name, state }) => `${name} ${state.kind}`)
  const end = async (at: number, answer: UploadAnswer) => {
    sent[at]?.end(answer)
    await Promise.resolve()
    await Promise.resolve()
    await Promise.resolve()
  }
  return { queue, sent, opened, states, end }
}

const preview = (url: string): UploadAnswer => ({ kind: 'preview', url, runCount: 2 })

describe('a queue of uploads', () => {
  it('sends one after the other, and opens the previews once all are sent', async () => {
    const { queue, sent, opened, states, end } = queueOf()
    queue.send('shop', [file('a'), file('b')])
    expect([states(), queue.view().busy]).toEqual([['a sending', 'b waiting'], true])
    sent[0]?.progress(4)
    expect(queue.view().files[0]?.state).toMatchObject({ kind: 'sending', sentBytes: 4 })
    sent[0]?.progress(10)
    expect(states()).toEqual(['a reading', 'b waiting'])
    await end(0, preview('/a'))
    // Dropped meanwhile: behind those that wait.
    queue.send('shop', [file('c')])
    expect(states()).toEqual(['a done', 'b sending', 'c waiting'])
    await end(1, { kind: 'problem', problem: { detail: 'Too large', hint: null, line: null, url: null } })
    await end(2, preview('/c'))
    expect([opened, queue.view().busy]).toEqual([[['/a', '/c']], false])
    // The page shows what was read.
    expect(states()).toEqual(['b failed'])
  })

  it('loses a file of its list when its preview opens', async () => {
    const { queue, states, end } = queueOf()
    queue.send('shop', [file('a')])
    await end(0, preview('/a'))
    expect(states()).toEqual([])
  })

  it('cancels what waits and what is sent, opens nothing then, and sends what comes later', async () => {
    const { queue, sent, opened, states, end } = queueOf({ openDrafts: ['/a'] })
    queue.send('shop', [file('a'), file('b'), file('c')])
    await end(0, preview('/a'))
    queue.cancel()
    await end(1, { kind: 'cancelled' })
    expect(states()).toEqual(['a done', 'b cancelled', 'c cancelled'])
    expect([opened, sent.map(({ name }) => name)]).toEqual([[['/a']], ['a', 'b']])
    // A preview that is still open stays in the list.
    queue.send('shop', [file('d')])
    expect(states()).toEqual(['a done', 'd sending'])
    queue.clear()
    expect(states()).toEqual([])
  })
})
