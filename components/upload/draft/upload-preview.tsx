import { formatBytes, formatCount, plural } from '@/lib/format'
import { suggestParts } from '@/lib/merge/suggest-parts'
import { mappingWords, type MappingProposal, type NamedMapping } from '@/lib/run/column-mapping'
import type { KnownNames } from '@/lib/history/run-list'
import type { RunRow } from '@/lib/history/stored-runs'
import type { UploadDetail, UploadSummary } from '@/lib/history/stored-uploads'
import { printingTools, tools, uploadKind } from '@/lib/run/tools'
import { maskedCode } from '@/lib/secrets'
import { joinWords } from '@/lib/text'
import { ColumnMappingForm } from '../../mapping/mapping-form'
import { CommandLine } from '../../ui/actions/curl-line'
import { Link } from '../../ui/links/link'
import { ViewLinks } from '../../ui/links/view-links'
import { DocumentLines } from './document-lines'
import { DiscardButton, DraftForm } from './draft-form'
import { ChooseFileButton } from '../paste-box'
import { prepareDocument } from './prepare-document'
import { preparePreview, previewColumns, type PreviewRun } from './prepare-preview'
import { SecretsChoice } from '../secrets-choice'
import { SavedBefore, UploadRemarks } from './upload-remarks'
import styles from './upload-preview.module.css'

interface Props {
  readonly project: { readonly slug: string; readonly name: string }
  readonly origin: string
  readonly upload: UploadDetail
  /** The lines of `shownRanges`; empty for files that are not text. */
  readonly lines: readonly { readonly number: number; readonly text: string }[]
  /** Names offered for a draft. */
  readonly known: KnownNames | null
  /** Runs of this upload once saved, in the order of the file. */
  readonly savedRuns: readonly RunRow[]
  /** An earlier upload of the same bytes. */
  readonly savedBefore: { readonly upload: UploadSummary; readonly runs: readonly RunRow[] } | null
  /** How a draft's rows may be read as samples, with the project's mappings; null: it is not a table of samples. */
  readonly samples: { readonly proposal: MappingProposal; readonly kept: readonly NamedMapping[] } | null
  /** How to show the runs of a draft, from the address; null: not given. */
  readonly asked: string | null
}

/** `312 lines`, `raw results`: its length or kind. Uploads of older versions are named by their runs. */
export function aboutContent(
  upload: Pick<UploadDetail, 'lineCount' | 'sizeBytes' | 'kind' | 'encoding' | 'draftRuns'>,
  savedRuns: readonly Pick<RunRow, 'form'>[],
): string {
  const { lineCount, sizeBytes, kind, encoding, draftRuns } = upload
  if (lineCount !== null) return plural(lineCount, 'line')
  if (sizeBytes === 0) return 'empty'
  return kind === 'binary' ? uploadKind(encoding, draftRuns.length > 0 ? draftRuns : savedRuns) : kind
}

/** From this many runs on, a row each is clearer than a card each. */
const tableFromRuns = 4

/** An upload before it is saved: the document with its blocks marked on the left, the runs found in it on the right. */
export function UploadPreview(props: Props) {
  const { project, origin, upload, lines, known, samples, asked } = props
  const shownLines = new Set(lines.map((line) => line.number))
  const runs = preparePreview(upload, shownLines)
  const isDraft = upload.state === 'draft'
  const view = asked === 'cards' || asked === 'table' ? asked : runs.length < tableFromRuns ? 'cards' : 'table'
  const mergeable = isDraft ? suggestParts(upload.draftRuns) : []
  const hasForm = isDraft && runs.length > 0 && known !== null
  const read: ReadUpload = { shownLines, runs, problems: problemsOf(upload, samples !== null) }
  return (
    <div className={`page grid gap-12 one-column ${styles.page}`}>
      <PreviewHead {...props} {...read} view={hasForm ? view : null} />
      {lines.length > 0 && (
        <nav className={styles.panes} aria-label="Parts of this page">
          <a href="#runs">{hasForm ? plural(runs.length, 'run') : 'Result'}</a>
          <a href="#document">Document</a>
        </nav>
      )}
      {hasForm && (
        <WithoutScript api={`${origin}/api/v1/projects/${project.slug}/uploads/${upload.id}`} mergeable={mergeable} />
      )}
      <Remarks {...props} {...read} />
      <div
        className={lines.length > 0 ? `grid ${styles.sides}` : styles.alone}
        data-view={hasForm ? view : samples === null ? 'cards' : 'table'}
      >
        {lines.length > 0 && <DocumentPane upload={upload} lines={lines} runs={runs} />}
        <div id="runs" className={`slim ${styles.runs}`}>
          {!isDraft && <SavedRuns projectSlug={project.slug} uploadId={upload.id} runs={props.savedRuns} />}
          {isDraft && runs.length === 0 && (
            <NothingFound projectSlug={project.slug} upload={upload} samples={samples} />
          )}
          {hasForm && samples !== null && <Mapped projectSlug={project.slug} upload={upload} samples={samples} />}
          {hasForm && (
            <DraftForm
              key={`${upload.id} ${JSON.stringify(upload.mapping)}`}
              project={project}
              uploadId={upload.id}
              runs={runs}
              columns={previewColumns(upload.draftRuns)}
              mergeable={mergeable}
              known={known}
              view={view}
            />
          )}
        </div>
      </div>
    </div>
  )
}

/** What was read off an upload for its preview. */
interface ReadUpload {
  readonly shownLines: ReadonlySet<number>
  readonly runs: readonly PreviewRun[]
  readonly problems: ReturnType<typeof problemsOf>
}

/** Its problems: the secrets that were masked, and the others. */
function problemsOf({ problems }: UploadDetail, isTable: boolean) {
  const masked = problems.find(({ code }) => code === maskedCode)
  // The form for the columns already states that no tool printed it.
  const others = problems.filter((one) => one !== masked && !(isTable && one.code === 'unknown-format'))
  return { masked, others }
}

interface HeadProps extends Pick<Props, 'project' | 'upload' | 'savedRuns'>, ReadUpload {
  /** How the runs are shown; null: there is no form of them. */
  readonly view: 'cards' | 'table' | null
}

/** The name of an upload and what was found in it. */
function PreviewHead({ project, upload, savedRuns, runs, problems, view }: HeadProps) {
  const path = `/p/${project.slug}/upload/${upload.id}`
  return (
    <header className={`flex wrap ${styles.head}`}>
      <div className={`slim ${styles.title}`}>
        <h1 className="page-title">{upload.name}</h1>
        <p className={`muted flex wrap text-13 above-4 ${styles.about}`}>
          <span>
            {formatBytes(upload.sizeBytes)}, {aboutContent(upload, savedRuns)}
          </span>
          <span>{upload.state === 'draft' ? foundWords(upload) : 'saved'}</span>
          <UnparsedWords problems={problems.others} hasRuns={runs.length > 0} />
        </p>
      </div>
      {view !== null && (
        <ViewLinks
          label="Show runs as"
          choices={[
            { name: 'Table', href: `${path}?view=table`, isChosen: view === 'table' },
            { name: 'Cards', href: `${path}?view=cards`, isChosen: view === 'cards' },
          ]}
        />
      )}
    </header>
  )
}

/** What to know before saving: secrets, an earlier upload of the same file, and what was not understood. */
function Remarks({ project, upload, savedBefore, shownLines, problems: { masked, others } }: Props & ReadUpload) {
  const isDraft = upload.state === 'draft'
  return (
    <div className={`grid gap-8 ${styles.remarks}`}>
      {isDraft && (upload.keepSecrets || masked) && (
        <SecretsChoice
          projectSlug={project.slug}
          uploadId={upload.id}
          name={upload.name}
          sentSha256={upload.sentSha256}
          keepsSecrets={upload.keepSecrets}
          masked={masked ? masked.message : null}
        />
      )}
      {isDraft && savedBefore && <SavedBefore projectSlug={project.slug} {...savedBefore} />}
      <UploadRemarks
        problems={isDraft ? others : upload.problems}
        cellNotes={upload.cellNotes}
        shownLines={shownLines}
      />
    </div>
  )
}

/** The text of the upload with the blocks of its runs. */
function DocumentPane({ upload, lines, runs }: Pick<Props, 'upload' | 'lines'> & Pick<ReadUpload, 'runs'>) {
  const blocks = runs.map(({ variant, environment, scenario }, at) => ({
    lines: upload.draftRuns[at]?.context.lines ?? ([0, 0] as const),
    name: variant || environment || scenario,
  }))
  return (
    <div id="document" className={styles.document}>
      <DocumentLines
        parts={prepareDocument(lines, blocks, upload.problems)}
        names={blocks.map(({ name }) => name)}
        leftOut={Math.max(0, (upload.lineCount ?? 0) - (lines.at(-1)?.number ?? 0))}
      />
    </div>
  )
}

/** `7 runs of hey`. */
function foundWords({ draftRuns }: UploadDetail): string {
  const found = [...new Set(draftRuns.map(({ tool }) => tools[tool].name))]
  return `${plural(draftRuns.length, 'run')} ${found.length > 0 && found.length < 4 ? `of ${joinWords(found, 'and')}` : 'found'}`
}

/** Whether all of a text is in its runs, else a link to the rest. */
function UnparsedWords({
  problems,
  hasRuns,
}: {
  readonly problems: UploadDetail['problems']
  readonly hasRuns: boolean
}) {
  const count = problems.filter(({ severity }) => severity !== 'info').length
  if (count > 0) return <a href="#problems">{`${formatCount(count)} ${count === 1 ? 'problem' : 'problems'}`}</a>
  return hasRuns ? <span>every result parsed</span> : null
}

/** The alternative without scripts: the same by curl. */
function WithoutScript({ api, mergeable }: { readonly api: string; readonly mergeable: readonly number[] }) {
  const save = (body: object) => `curl -sS --fail-with-body --json '${JSON.stringify(body)}' "${api}/save"`
  return (
    <noscript>
      <div className="notice">
        <p className="below-8">Editing and saving here need JavaScript. To save these runs as proposed:</p>
        <CommandLine name="curl command that saves this draft" command={save({ edits: [] })} />
        {mergeable.length > 0 && (
          <>
            <p>If {mergeable.length} of them are of generators that drove one test at the same time, as one run:</p>
            <CommandLine
              name="curl command that saves this draft with its runs as one"
              command={save({ edits: [], merge: mergeable })}
            />
          </>
        )}
      </div>
    </noscript>
  )
}

/** The runs that a saved upload became. */
function SavedRuns({
  projectSlug,
  uploadId,
  runs,
}: {
  readonly projectSlug: string
  readonly uploadId: string
  readonly runs: readonly RunRow[]
}) {
  const query = new URLSearchParams({ upload: uploadId }).toString()
  return (
    <section aria-labelledby="saved-title">
      <h2 id="saved-title" className="section-title">
        Saved: {plural(runs.length, 'run')}
      </h2>
      <ul className={`below-12 ${styles.saved}`}>
        {runs.map((run) => (
          <li key={run.id}>
            <Link href={`/p/${projectSlug}/runs/${run.id}`}>
              {[run.scenario, run.variant, run.environment].filter(Boolean).join(' › ')}
            </Link>
          </li>
        ))}
      </ul>
      {runs.length > 1 && (
        <div className="flex wrap gap-8 above-12">
          <Link className="button button-primary" href={`/p/${projectSlug}/matrix?${query}`}>
            Compare them in a matrix
          </Link>
          <Link className="button" href={`/p/${projectSlug}/runs?${query}`}>
            Open in runs
          </Link>
        </div>
      )}
    </section>
  )
}

interface SamplesProps {
  readonly projectSlug: string
  readonly upload: UploadDetail
  readonly samples: NonNullable<Props['samples']>
}

/** Shown beside a file without runs: why, and what would help; for a table, how its rows are read as samples. */
function NothingFound({
  projectSlug,
  upload,
  samples,
}: Omit<SamplesProps, 'samples'> & { readonly samples: Props['samples'] }) {
  return (
    <section aria-labelledby="nothing-title">
      <h2 id="nothing-title" className="section-title">
        {samples === null ? 'No runs found in this file' : 'No known tool printed this'}
      </h2>
      {samples === null ? (
        <p>
          Tailboard reads the output of {printingTools('and')}, alone or inside any document. Upload the whole output,
          from the first line to the last.
        </p>
      ) : (
        <>
          <p>If each row is a request, say what its columns hold. The rows become one run, which names this mapping.</p>
          <Samples projectSlug={projectSlug} upload={upload} samples={samples} />
        </>
      )}
      <div className="flex wrap gap-8 above-12">
        <ChooseFileButton label="Choose another file" isPrimary={samples === null} />
        <DiscardButton projectSlug={projectSlug} uploadId={upload.id} />
      </div>
    </section>
  )
}

/** The mapping that a draft was read by, and how to correct it. */
function Mapped({ projectSlug, upload, samples }: SamplesProps) {
  const { mapping } = upload
  if (mapping === null) return null
  return (
    <details className={`text-13 below-12 ${styles.mapped}`}>
      <summary>
        Read by the mapping <strong>{mapping.name}</strong>: {mappingWords(mapping.mapping)}.
      </summary>
      <Samples projectSlug={projectSlug} upload={upload} samples={samples} />
    </details>
  )
}

const Samples = ({ projectSlug, upload: { id, name, mapping }, samples }: SamplesProps) => (
  <ColumnMappingForm
    key={mapping?.name}
    projectSlug={projectSlug}
    uploadId={id}
    fileName={name}
    proposal={samples.proposal}
    kept={samples.kept}
    current={mapping?.name ?? null}
  />
)
