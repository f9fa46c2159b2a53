import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { runCli } from '../run-cli'

const script = path.join(import.meta.dirname, 'print-load.sh')

/** A command that prints what a tool would: latencies `factor` times those of base, with noise. */
export const loadCommand = (factor: number, { tool = 'wrk', connections = 8 } = {}): string =>
  `'${script}' ${tool} ${factor} ${connections}`

export const emptyFolder = (): Promise<string> => mkdtemp(path.join(os.tmpdir(), 'tailboard-rounds-'))

/** `tailboard rounds` in a folder of its own. */
export async function runRounds(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<{ exit: number; out: string; err: string; cwd: string }> {
  const folder = cwd ?? (await emptyFolder())
  const printed = await runCli(['rounds', '--seed', 'test', ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
  })
  return { ...printed, cwd: folder }
}

const roundSchema = z.looseObject({
  kind: z.string(),
  order: z.array(z.string()),
  reason: z.string().optional(),
  arm: z.string().optional(),
})

/** What is stored of the rounds in a folder. */
export async function storedRounds(folder: string): Promise<readonly z.infer<typeof roundSchema>[]> {
  const text = await readFile(path.join(folder, 'rounds.jsonl'), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => roundSchema.parse(JSON.parse(line)))
}

/** Whether the process whose id is in a file is there; a dead one that nobody has waited for is not. */
export async function isRunning(file: string): Promise<boolean> {
  const pid = (await readFile(file, 'utf8')).trim()
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z')
}
