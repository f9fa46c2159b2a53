import { escapeMarkup as escape } from '@/lib/escape'
import { themeSheet, type Themes } from '@/lib/theme'
import type { Plot } from '../charts/plot/model'
import { drawFile, stateSvg, toSvg } from '../charts/plot/file'
import type { WordedTable } from '@/lib/export/markdown-table'
import { tableMarkup } from './comparison-files'
import { factWords, type ShareFace } from './share-face'

const css = `*{box-sizing:border-box}html{background:var(--bg)}body{font:14px/1.45 Inter,system-ui,sans-serif;margin:0;padding:14px 16px;color:var(--text);background:var(--bg)}
h1{font-size:18px;line-height:1.3;margin:2px 0 4px}p{margin:0 0 6px}.muted{color:var(--muted);font-size:13px}
.chip{display:inline-flex;gap:5px;align-items:center;height:22px;padding:0 9px 0 7px;border-radius:11px;font-size:12px;font-weight:600;background:var(--raised);vertical-align:3px}
.worse,.failing,.invalid{color:var(--worse);background:var(--worse-bg)}.unusual{color:var(--unusual);background:var(--unusual-bg)}
.better{color:var(--better);background:var(--better-bg)}.wide{overflow-x:auto}.wide>svg{width:100%;min-width:520px;height:auto}
table{border-collapse:collapse;width:100%;margin:8px 0}th,td{padding:5px 8px;border-bottom:1px solid var(--line);text-align:right;font-size:13px;font-variant-numeric:tabular-nums;white-space:nowrap}
th{font-weight:500}thead th{color:var(--muted);font-size:12px}th:first-child{text-align:left}a{color:var(--accent-text)}
.open{display:inline-block;padding:5px 0;font-weight:500}.foot{display:flex;flex-wrap:wrap;gap:2px 14px;justify-content:space-between;align-items:center}`

interface EmbedOf {
  readonly face: ShareFace
  readonly projectName: string
  /** Null: there is none to draw. */
  readonly plot: Plot | null
  readonly tables: readonly (WordedTable & { readonly title: string })[]
  /** Address of the share's page. */
  readonly url: string
  readonly themes: Themes
  /** Null: as the reader's system is set. */
  readonly theme: 'light' | 'dark' | null
}

/** A share as a page for frames on other sites: its verdict and plot, without scripts, and one link to all of it. */
export function embedPage({ face, projectName, plot, tables, url, themes, theme }: EmbedOf): string {
  const { subject, title, chips, sentence, caution, basis, facts } = face
  const marks = chips.map(
    ({ state, words }) => `<span class="chip ${state}">${stateSvg(state, 10, 'currentColor')}${escape(words)}</span> `,
  )
  const drawn = plot && toSvg(drawFile(plot, { width: 860, height: 330 }, asVariable), plot.title, asVariable)
  const sheet = themeSheet(theme === null ? themes : { light: themes[theme], dark: themes[theme] })
  const parts = [
    `<p class="muted">${escape([projectName, subject].join(' · '))}</p>`,
    `<h1>${marks.join('')}${escape(sentence)}</h1>`,
    ...[caution, basis].map((said) => (said === '' ? '' : `<p class="muted">${escape(said)}.</p>`)),
    drawn === null ? '' : `<div class="wide" tabindex="0" role="region" aria-label="Plot">${drawn}</div>`,
    ...tables.map((table) => tableMarkup(table, table.title)),
    `<p class="foot muted"><span>${escape(factWords(facts).join(' · '))}</span>` +
      `<a class="open" href="${escape(url)}" target="_blank" rel="noopener noreferrer">Open in Tailboard</a></p>`,
  ]
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<meta name="robots" content="noindex, nofollow"><title>${escape(title)}</title>` +
    `<style>:root{color-scheme:${theme ?? 'light dark'}}${sheet}${css}</style></head><body><main>${parts.join('\n')}</main></body></html>\n`
  )
}

/** Colours stay variables: the page has a style sheet with them. */
const asVariable = (color: string): string => color
