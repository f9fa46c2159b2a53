import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A separate file system over a folder, visible only to processes started through it. */
export interface SmallDisk {
  /** The command prefix that makes it visible. */
  readonly through: readonly string[]
  /** Runs a shell command that sees it, with the folder as `$DISK`; returns its output. */
  shell(script: string): Promise<string>
  end(): Promise<void>
}

/** Root needs no user namespace; other users become root in one. */
const isRoot = userInfo().uid === 0

/**
 * A tmpfs of `megabytes` over `folder`, which it hides, with the folder's files in it. Returns null and prints a
 * sentence if this user cannot create one: not on Linux, or user namespaces are disabled.
 */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk | null> {
  const mount = 'mkdir "$DISK.copy" && cp -a "$DISK/." "$DISK.copy" && mount -t tmpfs -o size="$SIZE" tailboard "$DISK"'
  const copy = 'cp -a "$DISK.copy/." "$DISK" && rm -rf "$DISK.copy"'
  const holder = spawn(
    'unshare',
    [...(isRoot ? [] : ['-r']), '-m', 'sh', '-c', `${mount} && ${copy} && echo mounted && cat`],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, DISK: folder, SIZE: `${megabytes}m` },
    },
  )
  const line = once(createInterface(holder.stdout), 'line').then(([text]) => String(text))
  const failed = Promise.race([once(holder, 'exit'), once(holder, 'error')]).then(() => null)
  if ((await Promise.race([line, failed])) !== 'mounted') {
    process.stdout.write(
      'No file system of its own can be mounted by this user: the tests of a full disk are skipped.\n',
    )
    return null
  }
  const through = [
    'nsenter',
    '-t',
    String(holder.pid),
    ...(isRoot ? [] : ['-U', '--preserve-credentials']),
    '-m',
    '--wd=.',
  ]
  const [file = '', ...args] = through
  return {
    through,
    async shell(script) {
      const env = { ...process.env, DISK: folder }
      return (await run(file, [...args, 'sh', '-c', script], { env })).stdout
    },
    async end() {
      holder.stdin.end()
      await failed
    },
  }
}

/** Fills all space but this many bytes. */
export const fill = (on: SmallDisk, leftBytes: number) =>
  on.shell(
    `free=$(($(df --output=avail -B1 "$DISK" | tail -1) - ${leftBytes})); [ $free -gt 0 ] && head -c $free /dev/zero > "$DISK/filler" || true`,
  )
/** Fills all of it. */
export const fillUp = (on: SmallDisk) => on.shell('cat /dev/zero >> "$DISK/filler" 2>/dev/null || true')
export const free = (on: SmallDisk) => on.shell('rm -f "$DISK/filler"')
