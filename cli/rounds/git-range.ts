import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { UsageError } from '../usage'

const execute = promisify(execFile)

export interface Commit {
  /** As its folder and its files are called. */
  readonly name: string
  /** Empty for names of a list. */
  readonly subject: string
}

/** A repository whose commits are checked out beside each other. */
export class Repository {
  private constructor(private readonly root: string) {}

  /** The one that `cwd` is in. Throws UsageError if it is in none. */
  static async at(cwd: string): Promise<Repository> {
    return new Repository((await git(cwd, 'rev-parse', '--show-toplevel')).trim())
  }

  /** From GOOD to BAD along first parents, both included. Throws UsageError if there is no such way. */
  async range(good: string, bad: string): Promise<readonly Commit[]> {
    const [first = '', last = ''] = await Promise.all(
      [good, bad].map(async (name) => (await git(this.root, 'rev-parse', '--verify', `${name}^{commit}`)).trim()),
    )
    if (first === last) throw new UsageError(`${good} and ${bad} are one commit`)
    await git(this.root, 'merge-base', '--is-ancestor', first, last).catch(() => {
      throw new UsageError(`${good} is no ancestor of ${bad}`)
    })
    const format = '--format=%h%x00%s'
    const [start = ''] = (await git(this.root, 'log', '-1', format, first)).split('\n')
    const log = await git(this.root, 'log', '--first-parent', '--reverse', format, `${first}..${last}`)
    return [start, ...log.split('\n')].flatMap((line) => {
      const [name = '', subject = ''] = line.split('\0')
      return name === '' ? [] : [{ name, subject }]
    })
  }

  /** The folder with the files of a commit, checked out if it is not there yet. */
  async checkOut({ name }: Commit, parent: string): Promise<string> {
    const folder = path.join(parent, name)
    if (existsSync(folder)) return folder
    await mkdir(parent, { recursive: true })
    await git(this.root, 'worktree', 'add', '--detach', '--force', folder, name)
    return folder
  }

  /** Removes what was checked out into the folder. */
  async clear(parent: string, names: Iterable<string>): Promise<void> {
    for (const name of names)
      await git(this.root, 'worktree', 'remove', '--force', path.join(parent, name)).catch(() => undefined)
    await git(this.root, 'worktree', 'prune')
  }
}

async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await execute('git', args, { cwd, maxBuffer: 64 * 1024 * 1024 })
    return stdout
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : ''
    throw new UsageError(said || (error instanceof Error ? error.message : String(error)))
  }
}
