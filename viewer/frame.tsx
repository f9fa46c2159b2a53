import { useRef, type ReactNode } from 'react'
import { Brand, Icon } from '@/components/ui/icon'
import { Menu } from '@/components/ui/menu'
import { ThemeSwitch } from '@/components/shell/theme-switch'
import { givenFiles, type Given } from './given-files'
import { useWindowFiles } from './window-files'
import styles from './viewer.module.css'

/** Set by the build. */
declare const viewerVersion: string

interface Props {
  readonly take: (given: Given) => void
  /** False: the page itself offers it. */
  readonly canAdd: boolean
  readonly actions?: ReactNode
  /** Items of the menu: what can be taken from the page. */
  readonly exports?: ReactNode
  readonly children: (choose: () => void) => ReactNode
}

/** Whose page this is, that nothing leaves it, what can be taken from it; takes files anywhere. */
export function Frame({ take, canAdd, actions, exports, children }: Props) {
  const chooser = useRef<HTMLInputElement>(null)
  const isOver = useWindowFiles(take)
  const choose = () => chooser.current?.click()
  return (
    <>
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
          {canAdd && (
            <button type="button" className="button" onClick={choose}>
              <Icon name="upload" /> Add files
            </button>
          )}
          {actions}
          <Menu label="More">
            {exports}
            <ThemeSwitch isNamed />
          </Menu>
        </span>
      </header>
      <main className={`page ${styles.page}`} id="page">
        {children(choose)}
      </main>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label="Files to show"
        onChange={({ target }) => {
          take(givenFiles([...(target.files ?? [])]))
          target.value = ''
        }}
      />
      {isOver && <p className={`bold ${styles.over}`}>Drop load test output</p>}
    </>
  )
}
