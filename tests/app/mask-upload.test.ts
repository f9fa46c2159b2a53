import { describe, expect, it } from 'vitest'
import { maskUpload } from '@/app/_server/uploads/mask-upload'
import { mask } from '@/lib/secrets'

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe('what is stored from an indented bombardier specification', () => {
  const spec = {
    numberOfConnections: 2,
    headers: [
      { key: 'X-Tenant', value: 'PLANTED' },
      { key: 'X-Key', value: 'PLANTED' },
    ],
    body: 'pin PLANTED',
    stream: false,
  }
  it.each([1, 7, 65_536])('contains neither headers nor body, in chunks of %i bytes', async (size) => {
    const parts: Uint8Array[] = []
    const bytes = Buffer.from(`${JSON.stringify({ spec }, null, 2)}\n`)
    for await (const part of (await maskUpload(inChunks(bytes, size), [])).bytes) parts.push(part)
    expect(JSON.parse(Buffer.concat(parts).toString('utf8'))).toEqual({
      spec: { ...spec, body: mask, headers: spec.headers.map(({ key }) => ({ key, value: mask })) },
    })
  })
})
