import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { RunningApp } from '../server/app'

/** What one attack cost the server, and what it said. */
export interface Cost {
  readonly status: number
  readonly answer: string
  readonly seconds: number
  /** Above what the server held before, at its highest. */
  readonly grownMb: number
  /** Longest that another request waited. */
  readonly stallMs: number
}

const memoryOf = async (app: RunningApp, field: 'VmRSS' | 'VmHWM'): Promise<number> => {
  const text = await readFile(`/proc/${app.process.pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text)?.[1]) / 1024
}

/** Sends one file as an upload, while another client asks for /healthz all the time. Linux only. */
export async function sendHostile(
  app: RunningApp,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  project = 'mine',
): Promise<Cost> {
  await writeFile(`/proc/${app.process.pid}/clear_refs`, '5') // the highest from here on
  const before = await memoryOf(app, 'VmRSS')
  let isOver = false
  const stall = longestWait(app.url, () => isOver)
  const startedMs = performance.now()
  const { status, answer } = await put(`${app.url}/api/v1/projects/${project}/uploads?name=hostile`, bytes, headers)
  const seconds = (performance.now() - startedMs) / 1_000
  isOver = true
  return { status, answer, seconds, grownMb: (await memoryOf(app, 'VmHWM')) - before, stallMs: await stall }
}

/** The longest that a request for /healthz waits, one after the other until it is over. */
export async function longestWait(url: string, isOver: () => boolean): Promise<number> {
  let longestMs = 0
  while (!isOver()) {
    const askedMs = performance.now()
    await (await fetch(`${url}/healthz`)).arrayBuffer()
    longestMs = Math.max(longestMs, performance.now() - askedMs)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return longestMs
}

/** An answer that comes before the body is sent is an answer. */
function put(url: string, bytes: Uint8Array, headers: Readonly<Record<string, string>>) {
  return new Promise<{ status: number; answer: string }>((resolve, reject) => {
    const sent = request(
      url,
      { method: 'PUT', headers: { accept: 'application/json', 'content-length': bytes.length, ...headers } },
      (response) => {
        let answer = ''
        response.on('data', (chunk: Buffer) => (answer += chunk.toString()))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, answer }))
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(bytes)
  })
}
