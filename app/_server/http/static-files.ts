import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const types: Readonly<Record<string, string>> = {
  '.js': 'application/javascript; charset=UTF-8',
  '.css': 'text/css; charset=UTF-8',
  '.json': 'application/json; charset=UTF-8',
  '.woff2': 'font/woff2',
}
/** Already packed. */
const isPacked = (name: string) => name.endsWith('.woff2')

type Encoding = 'br' | 'gzip' | 'identity'
const brotli = promisify(brotliCompress)
const pack: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  // For files that the build did not pack: smaller than gzip in the same time; a higher level would delay the first
  // page.
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
  identity: (bytes) => Promise.resolve(bytes),
}

/** The encoding for a client, ignoring those with weight 0: brotli, else gzip, else none. */
export function encodingFor(accepted: string | undefined): Encoding {
  const names = (accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.split(';').map((part) => part.trim()))
    .filter(([, weight]) => weight === undefined || !/^q=0(?:\.0*)?$/.test(weight))
    .map(([name]) => name)
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : 'identity'
}

/**
 * Answers requests for the build's own files (`/_next/static/…`) from memory, packed once, or by the build if it did
 * that: pages wait for their style sheets, and Next reads and packs them anew for each visitor. Their names change with
 * their content. False: the request is for none of them; another handler answers.
 */
export function staticFiles(folder: string): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  const cache = new Map<string, Promise<Buffer>>()
  const cached = (key: string, make: () => Promise<Buffer>): Promise<Buffer> => {
    const known = cache.get(key)
    if (known) return known
    const made = make()
    cache.set(key, made)
    made.catch(() => cache.delete(key)) // no such file: requests for many of these must not fill memory
    return made
  }
  const plain = (name: string) => cached(`identity ${name}`, () => readFile(path.join(folder, name)))
  const packed = async (encoding: Encoding, name: string): Promise<Buffer> => {
    const here = async () => pack[encoding](await plain(name))
    return encoding === 'br' ? readFile(path.join(folder, `${name}.br`)).catch(here) : here()
  }
  return async (request, response) => {
    const name = /^\/_next\/static\/((?:[\w-][\w.~-]*\/)*[\w-][\w.~-]*)(?:\?|$)/.exec(request.url ?? '')?.[1]
    const type = name && types[path.extname(name)]
    if (!name || !type || !['GET', 'HEAD'].includes(request.method ?? '') || request.headers.range) return false
    const encoding = isPacked(name) ? 'identity' : encodingFor(request.headers['accept-encoding']?.toString())
    const bytes = await cached(`${encoding} ${name}`, () => packed(encoding, name)).catch(() => null)
    if (bytes === null) return false
    response.setHeader('content-type', type)
    response.setHeader('cache-control', 'public, max-age=31536000, immutable')
    response.setHeader('vary', 'accept-encoding')
    response.setHeader('content-length', bytes.length)
    if (encoding !== 'identity') response.setHeader('content-encoding', encoding)
    response.writeHead(200).end(request.method === 'HEAD' ? undefined : bytes)
    return true
  }
}
