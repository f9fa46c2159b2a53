import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { mask, maskSecrets } from '@/lib/secrets'

const fixtures = path.join(import.meta.dirname, '../fixtures')
const planted = z
  .array(z.tuple([z.string(), z.string()]))
  .parse(JSON.parse(readFileSync(path.join(fixtures, 'secrets/planted.json'), 'utf8')))

describe('maskSecrets', () => {
  it('finds 31 planted secrets', () => expect(planted).toHaveLength(31))
  it.each(planted)('masks %s', (line, secret) => {
    const { text, found } = maskSecrets(line)
    expect(text).not.toContain(secret)
    expect(text).toContain(mask)
    expect(found.length).toBeGreaterThan(0)
    expect(found.join()).not.toContain(secret)
    expect(maskSecrets(text)).toEqual({ text, found: [] })
  })
  it('masks a private key over its lines, and no further line', () => {
    const key = '-----BEGIN RSA PRIVATE KEY-----\nPLANTED\nKEY\n-----END RSA PRIVATE KEY-----\nRequests: 3'
    expect(maskSecrets(key).text).toBe(
      `-----BEGIN RSA PRIVATE KEY-----${mask}-----END RSA PRIVATE KEY-----\nRequests: 3`,
    )
  })
  it('stays within its line and its cell', () => {
    expect(maskSecrets('token:\nRequests/sec: 12').found).toEqual([])
    expect(maskSecrets('| Authorization: Bearer abc | 12 ms |').text).toBe(`| Authorization: Bearer ${mask}| 12 ms |`)
  })
  it('stays within its string, and keeps its escapes', () => {
    const line = JSON.stringify({
      out: 'hey -H "Authorization: Bearer PLANTED" x\nSummary:\n',
      env: '{"token": "PLANTED"}',
    })
    const { text } = maskSecrets(line)
    expect(text).not.toContain('PLANTED')
    expect(JSON.parse(text)).toEqual({
      out: `hey -H "Authorization: Bearer ${mask}" x\nSummary:\n`,
      env: `{"token": "${mask}"}`,
    })
  })
  it.each([null, 2])('masks the headers and the body of a bombardier specification, indented by %s', (indent) => {
    const spec = {
      body: '{"pin": "PLANTED"}',
      stream: false,
      headers: [
        { key: 'X-Tenant', value: 'PLANTED' },
        { key: 'B', value: 'a "PLANTED"' },
      ],
      url: 'http://a/',
    }
    const { text, found } = maskSecrets(JSON.stringify(spec, null, indent ?? undefined))
    expect(text).not.toContain('PLANTED')
    expect(found).toEqual(['request header', 'request header', 'request body'])
    expect(JSON.parse(text)).toMatchObject({
      body: mask,
      headers: [{ value: mask }, { value: mask }],
      url: 'http://a/',
    })
  })
  it('keeps the text around a secret', () => {
    expect(maskSecrets('hey -n 100 -a bob:hunter2 -c 5 https://a:b@x.example/p?token=abc&n=2').text).toBe(
      `hey -n 100 -a bob:${mask} -c 5 https://a:${mask}@x.example/p?token=${mask}&n=2`,
    )
  })
  it.each([
    'hey -z 30s -c 100 https://x.example:8080/tokens?page=2',
    'Authorization: Bearer $TOKEN',
    'Authorization: Bearer <token>',
    'wrk -t2 -c100 -d30s http://127.0.0.1:8080/index.html',
    'Latency Distribution: 99% in 0.3 secs',
    'The key figures: p99 = 12 ms',
    'Requests      [total, rate, throughput]  3000, 100.03, 99.9',
    'max tokens per second: 12',
    'http://x.example/a@b:c',
  ])('leaves %s alone', (line) => expect(maskSecrets(line)).toEqual({ text: line, found: [] }))
  it('leaves the sample documents alone', () => {
    const folder = path.join(import.meta.dirname, '../../public/sample-data')
    for (const name of [
      'cascade-load-test',
      'lambda-dispatcher-vs-direct',
      'protobuf-vs-json',
      'smithy-wrk',
      'zlib-gzip',
    ]) {
      for (const line of readFileSync(path.join(folder, `${name}.md`), 'utf8').split('\n')) {
        expect(maskSecrets(line).found, line).toEqual([])
      }
    }
  })
  it.each(['a', ':', 'token', 'x-', '-----BEGIN PRIVATE KEY-----', 'http://', 'a:b', ' -a a', 'eyJaaaaaa.', 'cookie:'])(
    'takes time proportional to the text, for repeated %s',
    (part) => {
      const started = performance.now()
      maskSecrets(part.repeat(Math.ceil(200_000 / part.length)))
      expect(performance.now() - started).toBeLessThan(1_500)
    },
  )
})
