import type { ReadProgress } from './follow-upload'
import type { UploadProblem } from './problem'
import type { sendUpload, Sending } from './send-upload'

/**
 * One file on its way. Bytes are those sent; `reading`: all are sent, and the server reads them. `read` null: it has
 * not reported.
 */
export interface QueuedFile {
  readonly id: number
  readonly name: string
  readonly sizeBytes: number
  readonly state:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'sending'; readonly sentBytes: number; readonly read: ReadProgress | null }
    | { readonly kind: 'reading'; readonly read: ReadProgress | null }
    | { readonly kind: 'done'; readonly url: string; readonly runCount: number }
    | { readonly kind: 'failed'; readonly problem: UploadProblem }
    | { readonly kind: 'cancelled' }
}

/** The files as they are shown. */
export interface QueueView {
  readonly files: readonly QueuedFile[]
  readonly busy: boolean
}

/** What the queue needs from around it. */
interface Surroundings {
  readonly sendUpload: typeof sendUpload
  /** A file became the preview at this address. */
  onPreview(url: string, file: File): void
  /**
   * All that waited were sent; `urls`: their previews, if any. `wasStopped`: the rest was cancelled. Returns those that
   * the opened page shows.
   */
  onSent(urls: readonly string[], wasStopped: boolean): readonly string[]
  /** Whether the preview at this address is neither saved nor discarded. */
  isOpen(url: string): boolean
}

interface Waiting {
  readonly id: number
  readonly projectSlug: string
  readonly file: File
}

/** Sends files one after the other; while files are on their way, more are added to the end. */
export class UploadQueue {
  #view: QueueView = { files: [], busy: false }
  #waiting: readonly Waiting[] = []
  #sending: Sending | null = null
  #wasStopped = false
  #lastId = 0
  readonly #listeners = new Set<() => void>()
  readonly #around: Surroundings

  constructor(around: Surroundings) {
    this.#around = around
  }

  readonly view = (): QueueView => this.#view

  /** Calls back when the view changed. Returns a function that ends this. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly send = (projectSlug: string, chosen: readonly File[]): void => {
    if (chosen.length === 0) return
    const added = chosen.map((file) => ({ id: (this.#lastId += 1), projectSlug, file }))
    this.#waiting = [...this.#waiting, ...added]
    const { files, busy } = this.#view
    const stay = files.filter(({ state }) => busy || (state.kind === 'done' && this.#around.isOpen(state.url)))
    const waiting = { kind: 'waiting' } as const
    const queued = added.map(({ id, file: { name, size } }) => ({ id, name, sizeBytes: size, state: waiting }))
    this.#show({ files: [...stay, ...queued] })
    if (!busy) void this.#sendAll()
  }

  readonly cancel = (): void => {
    this.#wasStopped = true
    for (const { id } of this.#waiting) this.#setState(id, { kind: 'cancelled' })
    // Files dropped from now on are sent.
    this.#waiting = []
    this.#sending?.cancel()
  }

  readonly clear = (): void => this.#show({ files: [] })

  async #sendAll(): Promise<void> {
    this.#show({ busy: true })
    const urls: string[] = []
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      this.#waiting = this.#waiting.slice(1)
      this.#wasStopped = false
      const url = await this.#sendOne(next)
      if (url !== null) urls.push(url)
    }
    this.#show({ busy: false })
    const shown = this.#around.onSent(urls, this.#wasStopped)
    // What the opened page shows leaves the list; what could not be read stays.
    const isShown = ({ state }: QueuedFile) => state.kind === 'done' && shown.includes(state.url)
    this.#show({ files: this.#view.files.filter((file) => !isShown(file)) })
  }

  async #sendOne({ id, projectSlug, file }: Waiting): Promise<string | null> {
    this.#setState(id, { kind: 'sending', sentBytes: 0, read: null })
    this.#sending = this.#around.sendUpload(projectSlug, file, file.name, ({ sentBytes, read }) =>
      this.#setState(id, sentBytes >= file.size ? { kind: 'reading', read } : { kind: 'sending', sentBytes, read }),
    )
    const answer = await this.#sending.answer
    this.#sending = null
    if (answer.kind === 'cancelled') this.#setState(id, { kind: 'cancelled' })
    else if (answer.kind === 'problem') this.#setState(id, { kind: 'failed', problem: answer.problem })
    else {
      this.#around.onPreview(answer.url, file)
      this.#setState(id, { kind: 'done', url: answer.url, runCount: answer.runCount })
    }
    return answer.kind === 'preview' ? answer.url : null
  }

  #setState(id: number, state: QueuedFile['state']): void {
    this.#show({ files: this.#view.files.map((file) => (file.id === id ? { ...file, state } : file)) })
  }

  #show(changed: Partial<QueueView>): void {
    this.#view = { ...this.#view, ...changed }
    for (const listener of this.#listeners) listener()
  }
}
