import { readFile } from 'node:fs/promises'
import { z } from 'zod'

const words = z.array(z.string())

/** What the Dockerfile says, in the order of its lines. */
export interface Dockerfile {
  /** Images and stages that it builds from. */
  readonly from: readonly string[]
  /** Commands that it runs, without the mounts before them. */
  readonly runs: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
  readonly volume: string
}

/** `docs/deploy/Dockerfile`. */
export async function readDockerfile(): Promise<Dockerfile> {
  const text = (await readFile('docs/deploy/Dockerfile', 'utf8')).replace(/\\\n\s*/g, ' ')
  const all = (name: string) => [...text.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].map(([, rest = '']) => rest)
  const one = (name: string) => all(name).at(-1) ?? ''
  const pairs = all('ENV').flatMap((line) => line.split(/\s+/).map((pair) => pair.split('=') as [string, string]))
  return {
    from: all('FROM'),
    runs: all('RUN').map((line) => line.replace(/^(?:--\S+\s+)+/, '')),
    env: Object.fromEntries(pairs),
    command: words.parse(JSON.parse(one('CMD'))),
    healthCheck: words.parse(JSON.parse(one('HEALTHCHECK').replace(/^CMD /, ''))),
    volume: one('VOLUME'),
  }
}
