import { describe, expect, it } from 'vitest'
import { runEditsSchema } from '@/app/_server/schemas'
import { lastSegment, readUploadRequest } from '@/app/_server/uploads/upload-request'
import { respondGate } from '@/app/_server/alerts/respond-gate'
import { respondUpload } from '@/app/_server/uploads/respond-upload'
import { unnamedScenario, unnamedUpload } from '@/lib/project/upload-title'

const project = {
  id: 'p',
  slug: 'shop',
  name: 'Shop',
  createdAt: '2026-11-21T00:00:00.000Z',
  runCount: 0,
  latestRunAt: null,
  repositoryUrl: null,
  candidateRule: null,
  controlRule: null,
  judgedWindow: 'whole',
} as const
const base = 'http://127.0.0.1:3000/api/v1/projects/shop/uploads'
const nameOf = (query: string, fileName: string | null) =>
  readUploadRequest(new URL(`${base}${query}`), new Headers(), fileName).name

describe('the name of an upload', () => {
  it('is the last part of the address, as curl -T writes it; name= overrides it', () => {
    expect(lastSegment(`${base}/get%20cart.txt?label=a=b/c`)).toBe('get cart.txt')
    expect(nameOf('?create=1', 'get cart.txt')).toBe('get cart.txt')
    expect(nameOf('?name=cart.txt', 'out.txt')).toBe('cart.txt')
    expect(nameOf('', null)).toBe(unnamedUpload)
    expect(() => lastSegment(`${base}/%E0%A4%A`)).toThrow('cannot be decoded')
    expect(() => nameOf('', 'x'.repeat(300))).toThrow('longer than 255')
  })

  it('triggers a warning in the response if it is missing and the runs are called upload like all others', async () => {
    const respond = async (name: string, scenario: string, asText: boolean) => {
      const outcome = { kind: 'saved', upload: { id: 'u', name }, runs: [{ id: 'r', scenario, complete: true }] }
      return respondUpload(outcome as never, project, 'http://x', asText).text()
    }
    const warning = /no name: .* end the address in the name of the file/
    expect(await respond(unnamedUpload, unnamedScenario, true)).toMatch(warning)
    expect(await respond(unnamedUpload, unnamedScenario, false)).toMatch(warning)
    expect(await respond(unnamedUpload, 'GET /cart', true)).not.toMatch(warning)
    expect(await respond('upload.log', 'upload', true)).not.toMatch(warning)
  })

  it('triggers that warning next to a verdict too, in each format', async () => {
    const respond = async (uploadName: string, scenario: string, form: 'text' | 'markdown' | 'json') => {
      const answer = { verdict: null, project, uploadId: 'u', uploadName, runs: [{ id: 'r', scenario, variant: null }] }
      return respondGate(answer as never, 'http://x', { wait: 1, strict: false, repeat: 0, form }).text()
    }
    const warning = /no name: .* end the address in the name of the file/
    for (const form of ['text', 'markdown', 'json'] as const) {
      expect(await respond(unnamedUpload, unnamedScenario, form)).toMatch(warning)
      expect(await respond('cart.txt', 'cart', form)).not.toMatch(warning)
    }
    const text = await respond(unnamedUpload, unnamedScenario, 'text')
    expect(text.trimEnd().split('\n').at(-1)).toMatch(/^# ask again: http/)
  })
})

it('refuses a label that cannot be stored', () => {
  expect(() => nameOf('?label=__proto__%3Dx', null)).toThrow('No label can be named __proto__')
  expect(nameOf('?label=proto%3Dx', 'a.txt')).toBe('a.txt')
  const edits: unknown = JSON.parse('{"labels": {"__proto__": "x", "commit": "c8c614b"}}')
  expect(runEditsSchema.safeParse(edits).error?.issues).toMatchObject([
    { path: ['labels'], message: expect.stringContaining('No label can be named __proto__') },
  ])
  expect(runEditsSchema.parse({ labels: { commit: 'c8c614b' } })).toEqual({ labels: { commit: 'c8c614b' } })
})
