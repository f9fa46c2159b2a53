import type { ProjectSummary } from '@/lib/project/stored-projects'

/** Lines of one page: each has a strip of its last uploads. */
export const linesOfPage = 20
/** Where the list is on its page: below what needs attention. */
export const listAnchor = '#projects'

/** What the address of the home page asks for. */
export interface ProjectsQuery {
  /** Part of a name or slug; empty: all. */
  readonly text: string
  /** From 1. */
  readonly page: number
}

/** The projects that a text finds, and those of them that a page shows. */
export interface ProjectsPage extends ProjectsQuery {
  readonly found: number
  readonly shown: readonly ProjectSummary[]
  /** The address of another page of the same projects; null: there is none. */
  readonly firstHref: string | null
  readonly nextHref: string | null
}

type Params = Readonly<Record<string, string | readonly string[] | undefined>>

const single = (value: Params[string]): string => (typeof value === 'string' ? value : (value?.[0] ?? ''))

/** Of anything that an address may hold: what is no page is the first. */
export function readProjectsQuery(params: Params): ProjectsQuery {
  const page = Number(single(params.page))
  const text = single(params.text).trim().slice(0, 200)
  return { text, page: Number.isSafeInteger(page) && page > 0 ? page : 1 }
}

const hrefOf = ({ text, page }: ProjectsQuery): string => {
  const params = new URLSearchParams([
    ...(text === '' ? [] : [['text', text]]),
    ...(page === 1 ? [] : [['page', `${page}`]]),
  ])
  return `/${params.size === 0 ? '' : `?${params}`}${listAnchor}`
}

/** A page of the projects, in the given order; a page beyond the last is the last. */
export function projectsPage(projects: readonly ProjectSummary[], { text, page }: ProjectsQuery): ProjectsPage {
  const asked = text.toLowerCase()
  const found = projects.filter(({ name, slug }) => name.toLowerCase().includes(asked) || slug.includes(asked))
  const last = Math.max(1, Math.ceil(found.length / linesOfPage))
  const at = Math.min(page, last)
  return {
    ...{ text, page: at, found: found.length },
    shown: found.slice((at - 1) * linesOfPage, at * linesOfPage),
    firstHref: at === 1 ? null : hrefOf({ text, page: 1 }),
    nextHref: at === last ? null : hrefOf({ text, page: at + 1 }),
  }
}
