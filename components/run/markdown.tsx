import ReactMarkdown from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import styles from './markdown.module.css'

/** No images: they would tell another server who reads these notes. */
const schema = { ...defaultSchema, tagNames: (defaultSchema.tagNames ?? []).filter((name) => name !== 'img') }

/** A user's Markdown. Links leave without a referrer; headings stay below those of the page. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={styles.markdown}>
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
