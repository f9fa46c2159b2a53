import { printingTools } from '@/lib/run/tools'
import { CurlLine } from '../ui/curl-line'
import { ChooseFileButton, PasteBox } from './paste-box'
import styles from './upload-start.module.css'

/** All ways into a project: drop, choose, paste, curl; and what a test should be like to say something. */
export function UploadStart({ origin, projectSlug }: { readonly origin: string; readonly projectSlug: string }) {
  return (
    <div className={styles.start}>
      <noscript>
        <p className="notice">
          Dropping, choosing and pasting need JavaScript. Without it, upload from a terminal: the command below saves
          the runs of a file at once.
        </p>
      </noscript>
      <section className={styles.target} aria-label="Drop a file">
        <p className={styles.lead}>Drop the output of {printingTools('or')} anywhere in this window</p>
        <p className="muted">
          Text as printed, JSON, or a whole document with several results in it. Review what was found before anything
          is saved.
        </p>
        <ChooseFileButton />
      </section>
      <div className={`card ${styles.side}`}>
        <PasteBox />
      </div>
      <section className={`card ${styles.side}`} aria-labelledby="curl-title">
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
