import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { helpOf } from '@/cli/help'
import { readDockerfile } from '../dockerfile'

const manifest = z
  .object({
    ...{ name: z.string(), version: z.string(), engines: z.object({ node: z.string() }) },
    ...{ scripts: z.record(z.string(), z.string()), bin: z.record(z.string(), z.string()) },
  })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))
const file = await readDockerfile()
const operating = readFileSync('docs/operate.md', 'utf8')

it('makes the package in a first stage, and installs it in the last', () => {
  const [built = '', served = ''] = file.from
  expect([file.from.length, built]).toEqual([2, `${served} AS build`])
  const [make = '', install = ''] = file.runs
  const [, script = ''] = /npm run (\w+)/.exec(make) ?? []
  expect(Object.keys(manifest.scripts)).toContain(script)
  const [, pattern = ''] = /^npm install --global \/package\/(\S+)$/.exec(install) ?? []
  // As a shell reads it.
  const matching = new RegExp(`^${pattern.replaceAll('.', '\\.').replace('*', '.*')}$`)
  expect(`${manifest.name}-${manifest.version}.tgz`).toMatch(matching)
})

it('copies neither packages nor what was built before, of which the glob would find two', () => {
  const ignored = readFileSync('docs/deploy/Dockerfile.dockerignore', 'utf8').trim().split('\n')
  expect(ignored).toEqual(['.git', '.next', 'data', 'dist', 'node_modules', '*.tgz'])
})

it('has a Node that the package accepts', () => {
  const major = Number(/^node:(\d+)/.exec(file.from.at(-1) ?? '')?.[1])
  expect(major).toBeGreaterThanOrEqual(Number(/\d+/.exec(manifest.engines.node)?.[0]))
})

it('starts a command of the package, with settings that are documented', () => {
  const [program = '', command = ''] = file.command
  expect(Object.keys(manifest.bin)).toContain(program)
  expect(helpOf(command)).not.toBe(helpOf(undefined))
  for (const name of Object.keys(file.env).filter((one) => one !== 'NODE_ENV'))
    expect(operating).toContain(`\`${name}\``)
  expect(file.env['TAILBOARD_DATA']).toBe(file.volume)
})

it('is the one of the compose file, whose settings are documented', () => {
  const compose = readFileSync('docs/deploy/compose.yaml', 'utf8')
  expect(compose).toContain('context: ../..\n      dockerfile: docs/deploy/Dockerfile\n')
  expect(compose).toContain(`volumes: [raw:${file.volume}]`)
  const settings = [...compose.matchAll(/^ +(?:# )?((?:TAILBOARD|DATABASE)_\w+): /gm)].map(([, name = '']) => name)
  expect(settings.length).toBeGreaterThan(3)
  for (const name of settings) expect(operating).toContain(`\`${name}\``)
})
