import { z } from 'zod'
import type { AuditAction } from '@/lib/account/audit'
import type { Viewer } from '@/lib/viewer'
import { logChange } from '@/app/_server/http/route'
import { problemOf, type Problem } from '@/app/_server/http/respond'

/** The project that a tool is about. */
export const project = z.string().max(64).describe('Address of a project, from list_projects')

/** A short text, if given. */
export const text = z.string().trim().min(1).max(200).optional()

/** Of tools that change nothing. */
export const readOnly = { readOnlyHint: true, openWorldHint: false }

type Given = { content: { type: 'text'; text: string }[]; isError?: boolean }

/** Notes a change in the audit log, as the same request of the viewer's own would be. */
export const noting =
  (viewer: Viewer, request: Request) =>
  (action: AuditAction, about: Readonly<Record<string, string>>): Promise<void> =>
    logChange(action, about, viewer, request.headers)

/** A tool's answer; problems are worded as the API words them, with a hint. */
export async function said(work: () => Promise<string | Problem>): Promise<Given> {
  const answered = await work().catch(problemOf)
  if (typeof answered === 'string') return { content: [{ type: 'text', text: answered }] }
  const { code, detail, hint, url } = answered
  const words = [`${code}: ${detail}`, hint ?? '', url ? `See it at: ${url}` : '']
  return { isError: true, content: [{ type: 'text', text: words.filter((part) => part !== '').join(' ') }] }
}
