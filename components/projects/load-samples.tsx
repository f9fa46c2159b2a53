'use client'

import { useAnnouncedAction } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'

interface Sample {
  readonly project: string
  readonly name: string
  readonly file: string
}

const folder = '/sample-data'

const isSample = (value: unknown): value is Sample =>
  typeof value === 'object' &&
  value !== null &&
  ['project', 'name', 'file'].every((field) => typeof Reflect.get(value, field) === 'string')

async function read(file: string): Promise<Response> {
  const response = await fetch(`${folder}/${file}`)
  if (!response.ok) throw new Error(`The sample ${file} cannot be read (${response.status}).`)
  return response
}

/** Makes a project of each sample document, through the same API as any upload. */
async function loadSamples(): Promise<null> {
  const index: unknown = await (await read('index.json')).json()
  for (const { project, name, file } of Array.isArray(index) ? index.filter(isSample) : []) {
    await callApi('POST', '/api/v1/projects', { slug: project, name })
    const url = `/api/v1/projects/${project}/uploads?name=${encodeURIComponent(file)}`
    const body = await (await read(file)).blob()
    const sent = await fetch(url, { method: 'PUT', body, headers: { accept: 'application/json' } })
    if (!sent.ok) throw new Error(`The sample ${file} was refused (${sent.status}).`)
  }
  return null
}

/** Fills an empty Tailboard with the sample documents. */
export function LoadSamples() {
  const { isBusy, act } = useAnnouncedAction()
  return (
    <button type="button" className="button" disabled={isBusy} onClick={() => void act(loadSamples)}>
      {isBusy ? 'Loading …' : 'Load sample data'}
    </button>
  )
}
