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

type Given = Partial<Terminal> & { readonly input?: Uint8Array }

/** A terminal that nobody reads; with `given`, in part another. */
export const terminalOf = ({ input, ...more }: Given = {}): Terminal => ({
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
  print: () => undefined,
  report: () => undefined,
  ...more,
})

/** Carries out a command line in this process. */
export async function runCli(args: readonly string[], given: Given = {}): Promise<Printed> {
  const [out, err]: [string[], string[]] = [[], []]
  const print = (text: string) => void out.push(text)
  const report = (text: string) => void err.push(text)
  const exit = await run(args, terminalOf({ print, report, ...given }))
  return { exit, out: out.join(''), err: err.join('') }
}
