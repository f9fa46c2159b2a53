import { printingTools } from '@/lib/run/tools'
import { ChooseFileButton } from '../upload/paste-box'
import { CommandLine, CurlLine } from '../ui/actions/curl-line'
import { EmptyState } from '../ui/empty-state'
import { PageBar } from '../shell/page-bar'
import { CreateProject } from './create-project'
import { LoadSamples } from './load-samples'

/** A slug for the example; readers replace it by their own. */
const slug = 'my-service'

interface Props {
  readonly origin: string
  /** The user asked for a new project: its field gets the keyboard. */
  readonly isProjectAsked: boolean
}

/** The first page of an empty Tailboard: every way to the first run. */
export function NoProjects({ origin, isProjectAsked }: Props) {
  return (
    <>
      <PageBar here="All projects" />
      <div className="page">
        <h1 className="page-title">No project yet</h1>
        <CreateProject isAsked={isProjectAsked} />
        <EmptyState
          title="First results"
          actions={
            <>
              <ChooseFileButton />
              <LoadSamples />
            </>
          }
        >
          <p>
            Drop the output of {printingTools('or')} anywhere in this window, or paste it. Choose a project, which holds
            the runs of one service or benchmark, and review what was found before anything is saved.
          </p>
          <p>From a terminal or CI, create a project once, then upload files to it:</p>
          <CommandLine
            name="curl command that makes a project"
            command={`curl -sS --fail-with-body -d '{"name": "My service", "slug": "${slug}"}' -H 'content-type: application/json' "${origin}/api/v1/projects"`}
          />
          <CurlLine origin={origin} slug={slug} />
        </EmptyState>
      </div>
    </>
  )
}
