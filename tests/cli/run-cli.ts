import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { run } from '@/cli/main'
import type { Terminal } from '@/cli/terminal'

interface Printed {
  readonly exit: number
  readonly out: string
  readonly err: string
}

const root = new URL('../../', import.meta.url)

/** Carries out a command line in this process. */
export async function runCli(
  args: readonly string[],
  given: Partial<Terminal> & { readonly input?: Uint8Array } = {},
): Promise<Printed> {
  const [out, err]: [string[], string[]] = [[], []]
  const { input, ...more } = given
  const exit = await run(args, {
    stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
    env: {},
    cwd: root.pathname,
    root,
    version: '1.2.3',
    tokens: () => readFileSync(new URL('app/tokens.css', root), 'utf8'),
    load: () => Promise.reject(new Error('nothing to load')),
    isTerminal: false,
    columns: null,
    showsProgress: false,
    print: (text) => void out.push(text),
    report: (text) => void err.push(text),
    ...more,
  })
  return { exit, out: out.join(''), err: err.join('') }
}
