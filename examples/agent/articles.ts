import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

export interface Article {
  id: string
  title: string
  summary: string | null
  category: string | null
  /** HTML. */
  body: string
}

/** The longest words of a question say most; shorter ones than these are in every article. */
const WORDS_MAX = 4
const WORD_LENGTH_MIN = 4

/**
 * Finds the published article that has most of a question's words, by the tools of `/mcp`, with the bot's own rights; null if none has one
 * in its title or two in all.
 */
export function articlesOf(serverUrl: string, token: string): (question: string) => Promise<Article | null> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  return async (question) => {
    const client = new Client({ name: 'example-agent', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', serverUrl), { requestInit }))
    try {
      const call = async <Answer>(name: string, given: Record<string, unknown>): Promise<Answer> => {
        const { isError, structuredContent, content } = await client.callTool({ name, arguments: given })
        if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`)
        return structuredContent as Answer
      }
      const scores = new Map<string, number>()
      for (const word of wordsOf(question)) {
        const { nodes } = await call<{ nodes: { id: string; title: string }[] }>('find_article', { text: word })
        for (const { id, title } of nodes)
          scores.set(id, (scores.get(id) ?? 0) + (title.toLowerCase().includes(word) ? 2 : 1))
      }
      const [best] = [...scores].toSorted(([, one], [, other]) => other - one)
      return best && best[1] >= 2 ? await call<Article>('read_article', { article: best[0] }) : null
    } finally {
      await client.close()
    }
  }
}

function wordsOf(question: string): string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const long = [...new Set(words)].filter(({ length }) => length >= WORD_LENGTH_MIN)
  return long.toSorted((one, other) => other.length - one.length).slice(0, WORDS_MAX)
}
