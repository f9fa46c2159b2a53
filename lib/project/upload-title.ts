/** The name that an upload gets that came without one. */
export const unnamedUpload = 'upload.txt'
/** What its runs are called when nothing in the text names them. */
export const unnamedScenario = 'upload'

const namelessWarning =
  'no name: what is called upload joins one series with all other such uploads; end the address in the name of the file, …/uploads/NAME, or add scenario=NAME'

/** What the sender of a saved upload should know of its names: that it gave none, so that its runs are called as all such. */
export function nameWarnings(uploadName: string, runs: readonly { readonly scenario: string }[]): readonly string[] {
  const isNameless = uploadName === unnamedUpload && runs.some(({ scenario }) => scenario === unnamedScenario)
  return isNameless ? [namelessWarning] : []
}

const saysNothing: ReadonlySet<string> = new Set([unnamedUpload, 'pasted.txt'])

/** What an upload holds, by its first run. */
export interface UploadContent {
  readonly uploadId: string
  readonly tool: string
  readonly scenario: string
  /** Null: none. */
  readonly variant: string | null
  /** Whether further runs follow. */
  readonly hasMore: boolean
}

/** What an upload is called in lists: its name, or what it holds where the name says nothing (`content` null: nothing). */
export function uploadTitle(name: string, content: UploadContent | null): string {
  if (!saysNothing.has(name) || content === null) return name
  const parts = [content.tool, content.scenario, content.variant].filter((part) => part !== null && part !== '')
  return `${parts.join(' · ')}${content.hasMore ? ' and more' : ''}`
}
