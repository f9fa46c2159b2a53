import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { RunningApp } from '../server/app'

/** The cost of one attack for the server, and the response. */
export interface Cost {
  readonly status: number
  readonly answer: string
  readonly seconds: number
  /** Peak above what the server held before. */
  readonly grownMb: number
  /** Longest delay of another request. */
  readonly stallMs: number
}

const memoryOf = async (app: RunningApp, field: 'VmRSS' | 'VmHWM'): Promise<number> => {
  const text = await readFile(`/proc/${app.process.pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text)?.[1]) / 1024
}

/** Uploads one file, while another client requests /healthz continuously. Linux only. */
export async function sendHostile(
  app: RunningApp,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  project = 'mine',
): Promise<Cost> {
  await writeFile(`/proc/${app.process.pid}/clear_refs`, '5') // reset the peak
  const before = await memoryOf(app, 'VmRSS')
  let isOver = false
  const stall = longestWait(app.url, () => isOver)
  const startedMs = performance.now()
  const { status, answer } = await put(`${app.url}/api/v1/projects/${project}/uploads?name=hostile`, bytes, headers)
  const seconds = (performance.now() - startedMs) / 1_000
  isOver = true
  return { status, answer, seconds, grownMb: (await memoryOf(app, 'VmHWM')) - before, stallMs: await stall }
}

/** The longest request to /healthz, sent one after the other until the attack is over. */
export async function longestWait(url: string, isOver: () => boolean): Promise<number> {
  let longestMs = 0
  while (!isOver()) {
    const askedMs = performance.now()
    await (await fetch(`${url}/healthz`)).arrayBuffer()
    longestMs = Math.max(longestMs, performance.now() - askedMs)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return longestMs
}

/** A response that arrives before the body is sent also counts. */
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
