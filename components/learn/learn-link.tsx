import { tools, type Tool } from '@/lib/run/tools'
import { Link } from '../ui/links/link'
import { learnTopics, type LearnTopic } from './topics'

/**
 * A short link to an explanation; its name for screen readers is the topic. Not for shared pages: no link leads out of
 * those.
 */
export function LearnLink({ topic, children = 'Why?' }: { topic: LearnTopic; children?: string }) {
  return (
    <MoreLink href={`/learn/${topic}`} title={learnTopics[topic].title}>
      {children}
    </MoreLink>
  )
}

/** A short link to the meaning of a tool's figures. */
export function ToolLink({ tool }: { tool: Tool }) {
  return (
    <MoreLink href={`/learn/tools/${tool}`} title={toolTitle(tool)}>
      More
    </MoreLink>
  )
}

/** The title of a tool's page. */
export const toolTitle = (tool: Tool): string => `What ${tools[tool].name} measures`

function MoreLink({ href, title, children }: { href: string; title: string; children: string }) {
  return (
    <Link
      href={href}
      title={title}
      aria-label={`${children} ${title}`}
      style={{ textDecoration: 'underline', whiteSpace: 'nowrap' }}
    >
      {children}
    </Link>
  )
}
