import ReactMarkdown from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import styles from './markdown.module.css'

/** No images: they would show another server who reads these notes. */
const schema = { ...defaultSchema, tagNames: (defaultSchema.tagNames ?? []).filter((name) => name !== 'img') }

/** Depth of nesting up to which lists and quotes are drawn; the parser's time grows with the cube of the depth. */
const maxDepth = 30

/**
 * Whether a line opens more lists and quotes at once than anyone writes: 5 000 of them would keep a server busy for
 * seconds.
 */
export function isTooDeep(text: string): boolean {
  return text.split('\n').some((line) => {
    const opened = line.split(/[ \t]+/).findIndex((word) => word !== '' && !/^(?:[-*+]|>+|\d{1,9}[.)])$/.test(word))
    const words = line.split(/[ \t]+/).slice(0, opened < 0 ? undefined : opened)
    return words.reduce((depth, word) => depth + (word.startsWith('>') ? word.length : 1), 0) > maxDepth
  })
}

/**
 * A user's Markdown; shown as written if it nests too deeply. Links send no referrer; headings are below those of the
 * page.
 */
export function Markdown({ text }: { text: string }) {
  if (isTooDeep(text)) return <pre className={`linked break ${styles.markdown}`}>{text}</pre>
  return (
    <div className={`linked break ${styles.markdown}`}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[[rehypeSanitize, schema]]}
        components={{
          a: ({ href, children }) => (
            <a href={href} rel="nofollow noreferrer">
              {children}
            </a>
          ),
          h1: 'h3',
          h2: 'h4',
          h3: 'h5',
          h4: 'h6',
          h5: 'h6',
        }}
      >
        {text}
      </ReactMarkdown>
    </div>
  )
}
