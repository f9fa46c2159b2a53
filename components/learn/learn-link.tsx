import { Link } from '../ui/link'
import { learnTopics, type LearnTopic } from './topics'

/** A short way to an explanation; its name for screen readers is the topic. Not for shared pages: nothing leads out of those. */
export function LearnLink({ topic, children = 'Why?' }: { topic: LearnTopic; children?: string }) {
  const { title } = learnTopics[topic]
  return (
    <Link
      href={`/learn/${topic}`}
      title={title}
      aria-label={`${children} ${title}`}
      style={{ textDecoration: 'underline', whiteSpace: 'nowrap' }}
    >
      {children}
    </Link>
  )
}
