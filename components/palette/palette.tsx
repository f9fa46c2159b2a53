'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { StateMark } from '../ui/state-mark'
import { readApi, sentenceOf } from '../ui/actions/call-api'
import { chooseTheme, type Theme } from '../ui/theme'
import {
  foundItems,
  groupItems,
  matchingItems,
  pageCommands,
  pageItems,
  type PaletteItem,
  type PalettePage,
} from './palette-items'
import styles from './palette.module.css'

interface Props {
  readonly pages: readonly PalettePage[]
  readonly projects: readonly PalettePage[]
  /** The project whose runs and comparisons are searched; null: none. */
  readonly projectSlug: string | null
  onHelp(): void
  onClose(): void
}

/**
 * A dialog with one field and a list below it: the text filters pages and actions here, and finds runs and comparisons
 * on the server. A combobox with a listbox as in the WAI-ARIA practices: the focus stays in the field.
 */
export function Palette({ projectSlug, onClose, ...offered }: Props) {
  const router = useRouter()
  // Once: the page behind it does not change.
  const [items] = useState(() => itemsOf(offered))
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const closeOutside = (event: MouseEvent) => {
    if (event.target === dialog.current) dialog.current.close()
  }
  const perform = ({ does }: PaletteItem) => {
    dialog.current?.close()
    return does.kind === 'open' ? router.push(does.href) : does.action()
  }
  const { text, setText, groups, chosen, choose, status, onKeyDown, optionId } = useItems(
    id,
    items,
    projectSlug,
    perform,
  )
  return (
    <dialog
      ref={dialog}
      className={`text ${styles.dialog}`}
      aria-label="Find pages, runs and actions"
      onClose={onClose}
      onClick={closeOutside}
    >
      <div className={`flex ${styles.body}`}>
        <input
          className={`text rigid ${styles.field}`}
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={optionId(chosen)}
          aria-autocomplete="list"
          aria-label="Page, run or action"
          placeholder={projectSlug === null ? 'Go to a page or project' : 'Go to a page, run or comparison'}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <Items
          id={`${id}-list`}
          groups={groups}
          chosen={chosen}
          optionId={optionId}
          onPoint={choose}
          onPerform={perform}
        />
        <p className={`muted flush ${styles.status}`} role="status">
          {status}
        </p>
        {keys}
      </div>
    </dialog>
  )
}

const themes: readonly (readonly [Theme, string])[] = [
  ['light', 'Use the light theme'],
  ['dark', 'Use the dark theme'],
  ['system', 'Use the theme of the system'],
]

/** What is offered before anything is typed, and filtered by what is typed. */
function itemsOf({ pages, projects, onHelp }: Pick<Props, 'pages' | 'projects' | 'onHelp'>): readonly PaletteItem[] {
  const action = (id: string, name: string, does: () => void, detail: string | null = null): PaletteItem => {
    return { id, group: 'Actions', name, detail, does: { kind: 'run', action: does } }
  }
  return [
    ...pageCommands(document),
    ...pageItems(pages, 'Go to'),
    ...themes.map(([theme, name]) => action(`theme ${theme}`, name, () => chooseTheme(theme))),
    action('help', 'Show keyboard shortcuts', onHelp, '?'),
    ...pageItems(projects, 'Projects'),
  ]
}

const keys = (
  <p className={`muted text-12 rigid flush wide-only ${styles.keys}`} aria-hidden="true">
    <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Esc</kbd> close
  </p>
)

/** Rows that PageUp and PageDown move by. */
const pageRows = 8

/** Where a key goes from the item at a place; undefined: it is none of the list's. */
function placeAfter(key: string, at: number, last: number): number | undefined {
  const places: Readonly<Record<string, number>> = {
    ArrowDown: at === last ? 0 : at + 1,
    ArrowUp: at === 0 ? last : at - 1,
    PageDown: Math.min(last, at + pageRows),
    PageUp: Math.max(0, at - pageRows),
  }
  return places[key]
}

/** What is typed, the items that it finds, and the one that Enter performs. */
function useItems(
  id: string,
  items: readonly PaletteItem[],
  projectSlug: string | null,
  perform: (item: PaletteItem) => void,
) {
  const [text, setText] = useState('')
  const [chosenId, setChosenId] = useState<string | null>(null)
  const opensFirstFound = useRef(false)
  const { found, problem, isSearching } = useFound(projectSlug, text)
  const groups = useMemo(() => groupItems([...matchingItems(items, text), ...found]), [items, text, found])
  const shown = groups.flatMap((group) => group.items)
  const chosenPlace = shown.findIndex((item) => item.id === chosenId)
  const at = Math.max(0, chosenPlace)
  const chosen = shown[at]
  useEffect(() => {
    if (isSearching || !opensFirstFound.current) return
    opensFirstFound.current = false
    if (chosen) perform(chosen)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const place = placeAfter(event.key, at, shown.length - 1)
    if (place !== undefined) setChosenId(shown[place]?.id ?? null)
    else if (event.key !== 'Enter') return
    // With fast typing, the list may still answer the previous text, so Enter waits for the response.
    else if (isSearching && chosenId === null && (!chosen || found.includes(chosen))) opensFirstFound.current = true
    else if (chosen) perform(chosen)
    event.preventDefault()
  }
  const none = shown.length === 0 ? `No matches for “${text.trim()}”` : null
  return {
    text,
    setText: (typed: string) => {
      opensFirstFound.current = false
      setText(typed)
      setChosenId(null)
    },
    groups,
    chosen,
    choose: (item: PaletteItem) => setChosenId(item.id),
    status: isSearching ? 'Searching …' : (problem ?? none),
    onKeyDown,
    optionId: (item: PaletteItem | undefined) => (item ? `${id}-${shown.indexOf(item)}` : undefined),
  }
}

interface ItemsProps {
  readonly id: string
  readonly groups: ReturnType<typeof groupItems>
  readonly chosen: PaletteItem | undefined
  optionId(item: PaletteItem): string | undefined
  onPoint(item: PaletteItem): void
  onPerform(item: PaletteItem): void
}

function Items({ id, groups, chosen, optionId, onPoint, onPerform }: ItemsProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen, groups])
  return (
    <div ref={list} id={id} role="listbox" aria-label="Found" className={styles.list}>
      {groups.map(({ group, items }) => (
        <div key={group} role="group" aria-label={group}>
          <div className={`muted text-12 medium ${styles.group}`} aria-hidden="true">
            {group}
          </div>
          {items.map((item) => (
            <div
              key={item.id}
              id={optionId(item)}
              role="option"
              aria-selected={item === chosen}
              className={`flex baseline between gap-16 ${styles.option}`}
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => onPoint(item)}
              onClick={() => onPerform(item)}
            >
              <span className={`truncate slim ${styles.name}`}>{item.name}</span>
              {item.detail !== null && <span className="muted text-12 rigid push">{item.detail}</span>}
              {item.judged !== undefined && (
                <span className={styles.state}>
                  <StateMark judged={item.judged} />
                </span>
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

/** Results of a project's search; `problem`: why it failed. */
interface Found {
  readonly found: readonly PaletteItem[]
  readonly problem: string | null
  readonly isSearching: boolean
}

/** One letter matches half of all runs. */
const fewestLetters = 2
const pauseMs = 120
const nothing: readonly PaletteItem[] = []

/**
 * Runs and comparisons of a project that match a text, requested once the typing pauses; an older request is dropped.
 */
function useFound(projectSlug: string | null, text: string): Found {
  const wanted = text.trim()
  const asked = projectSlug !== null && wanted.length >= fewestLetters ? `${projectSlug}\n${wanted}` : null
  const [answer, setAnswer] = useState<{ asked: string; found: readonly PaletteItem[]; problem: string | null } | null>(
    null,
  )
  useEffect(() => {
    if (asked === null || projectSlug === null) return
    const giveUp = new AbortController()
    const url = `/api/v1/projects/${projectSlug}/search?text=${encodeURIComponent(wanted)}`
    const timer = setTimeout(() => {
      readApi(url, giveUp.signal).then(
        (json) => setAnswer({ asked, found: foundItems(projectSlug, json), problem: null }),
        (error: unknown) => {
          if (!giveUp.signal.aborted) setAnswer({ asked, found: nothing, problem: sentenceOf(error) })
        },
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      giveUp.abort()
    }
  }, [asked, projectSlug, wanted])
  if (asked === null) return { found: nothing, problem: null, isSearching: false }
  if (answer?.asked === asked) return { ...answer, isSearching: false }
  // Results of the previous text stay until the new response arrives: the list does not flicker.
  return { found: answer?.found ?? nothing, problem: null, isSearching: true }
}
