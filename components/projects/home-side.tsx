import { plural } from '@/lib/format'
import type { NewsUpload } from '@/lib/project/project-news'
import { printingTools } from '@/lib/run/tools'
import { CurlLine } from '../ui/actions/curl-line'
import { Link } from '../ui/links/link'
import { Time } from '../ui/time'
import { ChooseFileButton } from '../upload/paste-box'
import styles from './home.module.css'

/** An upload with its project. */
export interface RecentUpload extends NewsUpload {
  readonly project: { readonly slug: string; readonly name: string }
}

interface Props {
  readonly origin: string
  /** The project in the example's command. */
  readonly slug: string
  /** Newest first. */
  readonly uploads: readonly RecentUpload[]
  readonly nowMs: number
}

/** Beside the projects: every way to upload, and the latest uploads. */
export function HomeSide({ origin, slug, uploads, nowMs }: Props) {
  return (
    <aside className={`grid slim ${styles.side}`} aria-label="Upload">
      <section id="upload" className={styles.drop}>
        <h2 className="section-title">Drop results anywhere</h2>
        <p className="muted">
          {printingTools('or')} output: text, CSV, JSON, Markdown, logs, gzip or zip; or paste it. You see every run
          before it is saved.
        </p>
        <ChooseFileButton label="Choose files" />
      </section>
      <section>
        <h2 className="section-title">From a terminal or CI</h2>
        <CurlLine origin={origin} slug={slug} />
        <p className="muted">The name of the file becomes the scenario.</p>
      </section>
      {uploads.length > 0 && (
        <section>
          <h2 className="section-title">Recent uploads</h2>
          <ul className={styles.recent}>
            {uploads.map((upload) => (
              <li key={upload.uploadId}>
                <Link className="text bold" href={`/p/${upload.project.slug}/runs?upload=${upload.uploadId}`}>
                  {plural(upload.runs, 'run')} · {upload.project.name}
                </Link>
                <p className="muted">
                  <Time at={upload.at} nowMs={nowMs} /> · {upload.uploadName}
                </p>
                <p className="muted">{needsWords(upload)}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  )
}

function needsWords({ urgent, state }: NewsUpload): string {
  if (urgent > 0) return `${urgent} ${urgent === 1 ? 'needs' : 'need'} attention`
  return state === null ? 'not judged yet' : state === 'no-history' ? 'too few runs to judge' : 'as expected'
}
