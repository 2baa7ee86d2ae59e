import { Refused } from '@switchboard/client'
import { createBot, type Bot, type BotConversation, type Saying } from '@switchboard/client/bot'
import { answerOfModel, NoAnswer, quote, type Answerer, type ModelOptions } from './answers.js'
import { articlesOf, type Article } from './articles.js'

export interface AgentOptions {
  serverUrl: string
  /** API token of a user with the role bot. */
  token: string
  /** Id of a service of type events whose `params.bot` is that user: no address is needed. */
  service: string
  /** Without one, the agent quotes the article that it finds. */
  model?: ModelOptions
  /** As in `createBot`. */
  burstMs?: number
  onError?: (error: unknown) => void
}

/**
 * An agent that answers from articles: by itself where its grants let it, else for a person to approve. What it does not know it leaves to
 * people, with a summary. It keeps nothing: kill it at any moment, and start it again.
 */
export function createAgent({ model, ...options }: AgentOptions): Bot {
  const { serverUrl, token } = options
  const findArticle = articlesOf(serverUrl, token)
  const answerer = model ? answerOfModel(model) : quote
  return createBot({
    ...options,
    async onMessage({ text = '' }, conversation) {
      if (await conversation.isWithPeople()) return
      const question = (await conversation.unanswered()).join('\n') || text
      const article = await findArticle(question)
      if (!article) return conversation.handOver(`No article answers this: ${question}`)
      try {
        await answer(conversation, answerer, question, article)
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error
        return conversation.handOver(`${error.message} The question: ${question}\nThe article: ${article.title}`)
      }
      if (article.category) await file(conversation, article.category)
    },
  })
}

/** Writes the answer in front of the consumer; or has a person approve the whole, if the grants want that. */
async function answer(
  conversation: BotConversation,
  answerer: Answerer,
  question: string,
  article: Article,
): Promise<void> {
  const stream = await conversation.stream()
  const mode = await modeOf(stream.begin())
  if (mode === 'NONE') throw new NoAnswer('I may not answer this.')
  const isProposed = mode !== 'ACT'
  let whole = ''
  try {
    for await (const token of answerer(question, article, isProposed ? undefined : stream.signal)) {
      if (isProposed) whole += token
      else stream.write(token)
    }
  } catch (error) {
    if (isProposed) throw error
    // Stopped, taken over, or the consumer has written again: then what the model said of it is of no interest.
    stream.signal.throwIfAborted()
    await stream.stop()
    throw error
  }
  if (!isProposed) return void (await stream.finish({ sources: [{ title: article.title }] }))
  // What nobody looks at nobody approves: people find it in the queue.
  if (conversation.data.status === 'active') await conversation.handOver()
  await conversation.propose(whole)
}

/** Sets the category, or proposes it. */
async function file(conversation: BotConversation, category: string): Promise<void> {
  const saying: Saying = { type: 'COMMAND', text: `/set @category ${category}` }
  const mode = await modeOf(conversation.say(saying))
  if (mode === 'APPROVE' || mode === 'SUGGEST') await conversation.propose(saying)
}

/** Says how far the bot's grants go for what it tries: `ACT` if it was done, else what the refusal names. */
async function modeOf(trial: Promise<void>): Promise<'ACT' | 'APPROVE' | 'SUGGEST' | 'NONE'> {
  try {
    await trial
    return 'ACT'
  } catch (error) {
    if (!(error instanceof Refused && error.reason === 'NO_GRANT')) throw error
    return error.details.mode as 'APPROVE' | 'SUGGEST' | 'NONE'
  }
}
