import { plural } from '@/lib/format'
import type { ProjectNews } from '@/lib/project/project-news'
import type { ProjectSummary } from '@/lib/project/stored-projects'
import { Link } from '../ui/links/link'
import { PageLinks } from '../ui/links/page-links'
import { CreateProject } from './create-project'
import styles from './home.module.css'
import { linesOfPage, listAnchor, projectsPage, type ProjectsQuery } from './projects-page'
import { ProjectsTable } from './projects-table'

interface Props {
  readonly projects: readonly ProjectSummary[]
  /** By project id; a project without runs has none. */
  readonly news: ReadonlyMap<string, ProjectNews>
  readonly query: ProjectsQuery
  /** A new project is asked for. */
  readonly isNew: boolean
  readonly nowMs: number
}

/** All projects, a page at a time; with more than one page, they are found by name, too. */
export function ProjectsList({ projects, news, query, isNew, nowMs }: Props) {
  const { text, found, shown, firstHref, nextHref } = projectsPage(projects, query)
  return (
    <>
      <div id="projects" className={`row ${styles.listhead}`}>
        <h2 className="text-14">Projects</h2>
        <span className="muted">{text === '' ? found : `${found} of ${projects.length}`}</span>
        {projects.length > linesOfPage && <Find text={text} count={projects.length} />}
        <Link href="/?new=1" className="button" data-command="New project">
          New project
        </Link>
      </div>
      {isNew && <CreateProject isAsked />}
      {shown.length === 0 ? (
        <p className="muted">
          None of the {plural(projects.length, 'project')} has “{text}” in its name.{' '}
          <Link href={`/${listAnchor}`}>Show all</Link>
        </p>
      ) : (
        <ProjectsTable projects={shown} news={news} nowMs={nowMs} />
      )}
      <PageLinks
        label="Pages of projects"
        first={firstHref === null ? null : { href: firstHref, name: 'First page' }}
        next={nextHref === null ? null : { href: nextHref, name: 'Next page' }}
      />
    </>
  )
}

/** A plain form: Enter asks for the page. */
function Find({ text, count }: { readonly text: string; readonly count: number }) {
  return (
    <form action={`/${listAnchor}`} role="search" className={styles.find}>
      <input
        type="search"
        name="text"
        className="input"
        placeholder={`Find one of ${count}`}
        aria-label="Find a project by name"
        aria-keyshortcuts="/"
        maxLength={200}
        defaultValue={text}
      />
    </form>
  )
}
