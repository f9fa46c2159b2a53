import { CopyButton } from '@/components/ui/actions/copy-button'
import { Brand, Icon } from '@/components/ui/icon'
import { Menu } from '@/components/ui/menu'
import { ThemeSwitch } from '@/components/shell/theme-switch'
import { comparisonCsv, comparisonJson, markdownTable, wordTable } from '@/components/shared/comparison-files'
import { comparisonPage } from '@/components/shared/comparison-page'
import type { PreparedComparison } from '@/components/compare/prepare-comparison'
import type { StoredRun } from '@/lib/history/stored-runs'
import { readThemes } from '@/lib/theme'
import { maxLinkBytes, writeLink } from './link'
import styles from './viewer.module.css'

/** Set by the build. */
declare const viewerVersion: string
declare const viewerTokens: string

interface Props {
  /** Null: nothing is shown yet. */
  readonly prepared: PreparedComparison | null
  readonly sides: readonly (readonly StoredRun[])[]
  /** Null: the page below offers it. */
  readonly onAdd: (() => void) | null
}

/** Whose page this is, that nothing leaves it, and what can be taken from it. */
export function ViewerBar({ prepared, sides, onAdd }: Props) {
  return (
    <header className={`row wrap gap-12 ${styles.bar}`}>
      <a className="skip-link" href="#page">
        Skip to content
      </a>
      <span className="row gap-8 bold">
        <Brand /> Tailboard
      </span>
      <span className={`muted text-13 ${styles.wide}`}>viewer {viewerVersion}</span>
      <span className={`text-13 medium ${styles.private}`}>Nothing left this computer.</span>
      <span className="row wrap gap-8 push">
        {onAdd !== null && (
          <button type="button" className="button" onClick={onAdd}>
            <Icon name="upload" /> Add files
          </button>
        )}
        {prepared !== null && <LinkButton sides={sides} />}
        <Menu label="More">
          {prepared !== null && <Exports prepared={prepared} />}
          <ThemeSwitch isNamed />
        </Menu>
      </span>
    </header>
  )
}

function LinkButton({ sides }: Pick<Props, 'sides'>) {
  const link = writeLink(sides)
  if (link === null)
    return (
      <span className="muted text-13">
        Too large for a link ({maxLinkBytes / 1024} kB): save it as HTML instead, under More.
      </span>
    )
  return <CopyButton text={`${window.location.href.split(/[?#]/)[0] ?? ''}#${link}`} label="Copy link" />
}

function Exports({ prepared }: { readonly prepared: PreparedComparison }) {
  const name = prepared.names.join(' vs ')
  const html = () => comparisonPage({ prepared, name, notes: '', raw: [], themes: readThemes(viewerTokens) })
  const files: readonly (readonly [label: string, file: string, make: () => string])[] = [
    ['Save as HTML', 'comparison.html', html],
    ['Save as Markdown', 'comparison.md', () => markdownTable(wordTable(prepared))],
    ['Save as CSV', 'comparison.csv', () => comparisonCsv(prepared)],
    ['Save as JSON', 'comparison.json', () => comparisonJson(prepared)],
  ]
  return files.map(([label, file, make]) => (
    <button key={label} type="button" onClick={() => save(make(), file)}>
      {label}
    </button>
  ))
}

function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text]))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
