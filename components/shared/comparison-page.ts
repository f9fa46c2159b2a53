import { escapeMarkup as escape } from '@/lib/escape'
import { drawFile, toSvg } from '../charts/plot/file'
import { differenceWords } from '@/lib/judge/comparability'
import { themeSheet, type Themes } from '@/lib/theme'
import { costTable, limitSentence, plotOf, tableMarkup, wordTable } from './comparison-files'
import { windowSentence } from '../compare/delta-words'
import { comparisonFace } from './share-face'
import type { PreparedComparison } from '../compare/prepare-comparison'

const cssOf = (
  themes: Themes,
) => `:root{color-scheme:light dark}${themeSheet(themes)}body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:32px auto;padding:0 16px;
color:var(--text);background:var(--bg)}h1{font-size:24px;margin:4px 0}h2{font-size:17px;margin:28px 0 4px}p,ul{margin:4px 0 12px}
.muted{color:var(--muted)}.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;margin:8px 0}
th,td{padding:6px 10px;border-bottom:1px solid var(--line);text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
th:first-child{text-align:left}li{overflow-wrap:anywhere}svg{width:100%;min-width:640px;height:auto;margin:16px 0 4px}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.5 ui-monospace,monospace}
@media(max-width:600px){body{margin:16px auto}th,td{padding:6px 8px;font-size:13px}th{white-space:normal}}`

/** Colours stay variables: the page has a style sheet with them for both themes. */
const variable = (color: string): string => color

interface PageOf {
  readonly prepared: PreparedComparison
  readonly name: string
  /** Markdown, shown as written; empty: none. */
  readonly notes: string
  /** The runs' raw output by position; empty: not included. */
  readonly raw: readonly string[]
  readonly themes: Themes
}

/** A comparison as one HTML document that needs no server, no script and no network. */
export function comparisonPage({ prepared, name, notes, raw, themes }: PageOf): string {
  const { comparison, differences, runNames: names, runs } = prepared
  const { title, sentence, caution, basis } = comparisonFace(prepared)
  const window = windowSentence(comparison)
  const plot = plotOf(prepared)
  const cost = costTable(prepared)
  const item = (text: string) => `<li>${escape(text)}</li>`
  const parts = [
    `<p class="muted">${escape(name)}</p><h1>${escape(sentence)}</h1>`,
    ...[caution, basis].map((words) => (words === '' ? '' : `<p class="muted">${escape(words)}.</p>`)),
    window === null ? '' : `<p class="muted">${escape(window)}</p>`,
    tableMarkup(wordTable(prepared), 'Figures'),
    plot
      ? `<div class="wide">${toSvg(drawFile(plot, { width: 960, height: 420 }, variable), `${plot.title}: ${names.join(', ')}`, variable)}</div>`
      : '',
    plot?.panels.some(({ rules }) => rules?.length)
      ? `<p class="muted">${escape(limitSentence(prepared) ?? '')}</p>`
      : '',
    cost
      ? `<h2>Cost</h2>${tableMarkup(cost, 'Cost')}${cost.foot === '' ? '' : `<p class="muted">${escape(cost.foot)}</p>`}`
      : '',
    differences.length === 0 ? '' : `<h2>What else differs</h2><ul>`,
    ...differences.map((difference) => item(differenceWords(difference))),
    differences.length === 0 ? '' : '</ul>',
    notes === '' ? '' : `<h2>Notes</h2><pre>${escape(notes)}</pre>`,
    '<h2>Runs</h2><ul>',
    ...runs.map((run, at) => item([names[at], run.tool, run.imported.command].filter(Boolean).join(' · '))),
    '</ul>',
    ...raw.map((text, at) =>
      text === ''
        ? ''
        : `<details><summary>Raw output of ${escape(names[at] ?? '')}</summary><pre>${escape(text)}</pre></details>`,
    ),
  ]
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    '<meta name="referrer" content="no-referrer"><meta http-equiv="content-security-policy" ' +
    `content="default-src 'none'; style-src 'unsafe-inline'"><title>${escape(title)}</title><style>${cssOf(themes)}</style></head>` +
    `<body>${parts.join('\n')}</body></html>\n`
  )
}
