#!/usr/bin/env node
/** The `tailboard` command in a clone: its bundle if that is of these sources, else through a compiler. */
import { readFileSync } from 'node:fs'
import { findBundle } from '../scripts/find-bundle.js'

const bundle = findBundle('cli')
if (bundle === null) {
  await import('tsx')
  const { start } = await import('./process.ts')
  const root = new URL('..', import.meta.url)
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  const tokens = () => readFileSync(new URL('app/tokens.css', root), 'utf8')
  await start({ root, version, tokens, load: (address) => import(address) })
} else await import(bundle)
