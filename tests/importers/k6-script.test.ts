import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { maskUpload } from '@/app/_server/uploads/mask-upload'

const folder = join(import.meta.dirname, '../fixtures/k6-summary')

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function storedText(bytes: Uint8Array, size: number): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of (await maskUpload(inChunks(bytes, size), [])).bytes) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

describe('what is stored of a summary of k6', () => {
  it.each([1, 7, 65_536])(
    'holds neither script nor setup data, and all figures, in chunks of %i bytes',
    async (size) => {
      const bytes = readFileSync(join(folder, 'secret-in-script.json'))
      expect(bytes.toString('utf8')).toContain('EXAMPLE-TOKEN-not-real')
      const text = await storedText(bytes, size)
      expect(text).not.toMatch(/EXAMPLE-/)
      const { config, ...rest } = JSON.parse(bytes.toString('utf8'))
      expect(JSON.parse(text)).toEqual({ ...rest, config: { ...config, script: '[masked]' } })
    },
  )

  it('leaves out a setup of any shape', async () => {
    const member = (value: string) => `{"setup_data":${value},"metrics":{"http_reqs":{"count":1}},"root_group":{}}`
    for (const value of ['{"a":[{"b":"}\\""}],"script":"x"}', '"t\\\\"', '12', 'null', '[1,{"c":2}]'])
      expect(await storedText(Buffer.from(member(value)), 3)).toBe(member('"[masked]"'))
  })

  it('is a text of other members as they were', async () => {
    const bytes = readFileSync(join(folder, 'export.json'))
    expect(await storedText(bytes, 10)).toBe(bytes.toString('utf8'))
  })
})
