import type { ComponentChildren } from 'preact'
import { SuggestedArticleDocument } from '../../generated/bots.js'
import { useQuery } from '../admin/use-query.js'
import { words } from './words.js'

interface ArticleSuggestionProps {
  id: string
  /** Renders what puts a text of it into the box. */
  take: (text: string) => ComponentChildren
}

/** The article that a bot suggests to send: what it is called, and what it says in short. */
export function ArticleSuggestion({ id, take }: ArticleSuggestionProps) {
  const { data } = useQuery(SuggestedArticleDocument, { id })
  if (!data) return null
  const { article } = data
  if (!article) return <p class="hint">{words.noArticle}</p>
  const summary = article.summary ?? ''
  return (
    <div class="whole">
      <p class="b">
        <bdi>{article.title}</bdi>
      </p>
      {summary && (
        <p>
          <bdi>{summary}</bdi>
        </p>
      )}
      <div class="line">{take(summary || article.title)}</div>
    </div>
  )
}
