import { spawn } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'

/** Next's line at the beginning or end of a part of the build. */
const phase = /^\s*(?:✓\s*)?((?:Creating|Compiled|Running|Finished|Collecting|Generating|Finalizing)\b[^\r]*?)\s*\.*$/

/**
 * Builds for production into a folder; reports each part as it begins, and the total time at the end. Throws with the
 * whole output.
 */
export async function runBuild(folder: string, say: (line: string) => void): Promise<void> {
  const startedMs = performance.now()
  const seconds = () => `${Math.round((performance.now() - startedMs) / 1000)} s`
  say('Building, once …')
  linkPackages(path.dirname(folder))
  const build = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TAILBOARD_BUILD: folder, FORCE_COLOR: '0', NO_COLOR: '1' },
  })
  const output: string[] = []
  let last = ''
  const read = (line: string) => {
    output.push(line)
    const words = phase.exec(line)?.[1]
    // Counters of one part are one line.
    const part = words?.split(/\s+/u).slice(0, 2).join(' ') ?? last
    if (words === undefined || part === last) return
    last = part
    say(`  ${seconds().padStart(5)}  ${words}`)
  }
  createInterface({ input: build.stdout }).on('line', read)
  createInterface({ input: build.stderr }).on('line', (line) => output.push(line))
  const code = await new Promise<number | null>((resolve, reject) => {
    build.once('error', reject)
    build.once('close', resolve)
  })
  if (code !== 0) throw new Error(`${output.join('\n')}\nThe build failed; see the lines above.`)
  say(`Built in ${seconds()}.`)
}

/** A build outside the project finds packages like one within it: in a folder above it. */
function linkPackages(builds: string): void {
  const link = path.join(builds, 'node_modules')
  const isOutside = path.relative(process.cwd(), builds).startsWith('..')
  if (isOutside && !existsSync(link)) symlinkSync(path.resolve('node_modules'), link, 'dir')
}
