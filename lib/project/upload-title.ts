import type { UtcIso } from '../run/run'

/** The name of an upload that came without one. */
export const unnamedUpload = 'upload.txt'
/** The scenario of its runs when nothing in the text names them. */
export const unnamedScenario = 'upload'

const namelessWarning =
  'no name: what is called upload joins one series with all other such uploads; end the address in the name of the file, …/uploads/NAME, or add scenario=NAME'

/** Warns the sender of a saved upload that it had no name, so that its runs share the default scenario. */
export function nameWarnings(uploadName: string, runs: readonly { readonly scenario: string }[]): readonly string[] {
  const isNameless = uploadName === unnamedUpload && runs.some(({ scenario }) => scenario === unnamedScenario)
  return isNameless ? [namelessWarning] : []
}

const saysNothing: ReadonlySet<string> = new Set([unnamedUpload, 'pasted.txt'])

/** The content of an upload, by its first run. */
export interface UploadContent {
  readonly uploadId: string
  readonly tool: string
  readonly scenario: string
  /** Null: none. */
  readonly variant: string | null
  readonly runCount: number
  /** When its first run began, else when it was uploaded. */
  readonly orderedAt: UtcIso
  /** From the labels of its first run; null: none. */
  readonly commit: string | null
  readonly subject: string | null
}

/** The title of an upload in lists: its name, or its content where the name is generic (`content` null: none). */
export function uploadTitle(name: string, content: UploadContent | null): string {
  if (!saysNothing.has(name) || content === null) return name
  const parts = [content.tool, content.scenario, content.variant].filter((part) => part !== null && part !== '')
  return `${parts.join(' · ')}${content.runCount > 1 ? ' and more' : ''}`
}
