import { printingTools } from '@/lib/run/tools'
import { CurlLine } from '../ui/actions/curl-line'
import { ChooseFileButton, PasteBox } from './paste-box'
import styles from './upload-start.module.css'

/** All ways into a project: drop, choose, paste, curl; and what a test needs to give a result. */
export function UploadStart({ origin, projectSlug }: { readonly origin: string; readonly projectSlug: string }) {
  return (
    <div className={`grid gap-16 above-16 ${styles.start}`}>
      <noscript>
        <form
          className={`notice grid gap-12 ${styles.plain}`}
          method="post"
          encType="multipart/form-data"
          action={`/p/${projectSlug}/upload/form`}
        >
          <p>
            Without JavaScript the runs of a file or text are saved at once, as from a terminal; names are edited after.
          </p>
          <label>
            File
            <input type="file" name="file" />
          </label>
          <label>
            Or text
            <textarea className="input mono" name="text" rows={6} />
          </label>
          <label>
            Scenario, where the output does not name it
            <input className="input" name="scenario" maxLength={200} />
          </label>
          <label>
            Variant
            <input className="input" name="variant" maxLength={200} />
          </label>
          <button type="submit" className="button button-primary">
            Save runs
          </button>
        </form>
      </noscript>
      <section className={`grid gap-12 ${styles.target}`} aria-label="Drop a file">
        <p className={`bold ${styles.lead}`}>Drop the output of {printingTools('or')} anywhere in this window</p>
        <p className="muted">
          Text as printed, JSON, or a whole document with several results in it. Review what was found before anything
          is saved.
        </p>
        <ChooseFileButton />
      </section>
      <div className={`card slim ${styles.side}`}>
        <PasteBox />
      </div>
      <section className={`card slim ${styles.side}`} aria-labelledby="curl-title">
        <h2 id="curl-title" className="section-title">
          From a terminal or CI
        </h2>
        <CurlLine origin={origin} slug={projectSlug} />
        <h2 className={`section-title ${styles.next}`}>What makes a good test</h2>
        <ol className={styles.advice}>
          <li>At least 1,000 requests, better 10,000: 100 requests cannot show a p99.</li>
          <li>A minute or more after warm-up, with the same machine, payload and connections each time.</li>
          <li>Eight rounds, a run of each side in turn: one run per side cannot separate a change from noise.</li>
        </ol>
      </section>
    </div>
  )
}
