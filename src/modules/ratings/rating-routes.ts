import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SurveyScale } from '../channels/survey.js'
import { answerSurvey } from '../conversations/surveys/answer-survey.js'
import type { SurveyLinks } from '../conversations/surveys/survey-links.js'
import { surveyWords } from '../conversations/surveys/survey-words.js'
import type { ConversationWriter } from '../conversations/writer/conversation-writer.js'
import type { Context } from '../../platform/context.js'
import { isCenterInUseSql } from '../../platform/db/archived-centers.js'
import { isId } from '../../platform/db/clock.js'
import { reading } from '../../platform/db/sql.js'
import { DomainError, statusOfCode } from '../../platform/errors.js'
import type { HttpParts } from '../../platform/module.js'
import { PAGE_POLICY, questionPage, saidPage } from './rating-page.js'

export interface RatingRoutesOptions {
  writer: ConversationWriter
  links: SurveyLinks
  systemContext: (requestId: string) => Context
}

interface Asked {
  language: string | null
  text: string | null
  scale: SurveyScale
  isRated: boolean
}

const BODY_BYTES_MAX = 32_768

/**
 * Adds the page behind the signed link of a survey. Reading it changes nothing, since scanners of mail follow links: only
 * sending its form rates.
 */
export async function addRatingRoutes(
  { fastify, bodies, countRequest }: HttpParts,
  options: RatingRoutesOptions,
): Promise<void> {
  await fastify.register(
    async (scope) => {
      scope.addHook('onRequest', (request, reply) => countRequest(reply, 'address', request.ip))
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
        bodies.read(request, payload),
      )
      scope.get('/:id', (request, reply) => show(options, request, reply))
      scope.post('/:id', { bodyLimit: BODY_BYTES_MAX }, (request, reply) => take(options, request, reply))
    },
    { prefix: '/r' },
  )
}

async function show(options: RatingRoutesOptions, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return answering(options, request, reply, async (words, asked) => {
    if (asked.isRated) return saidPage(words, words.thanks)
    return questionPage(words, { text: asked.text ?? words.question, scale: asked.scale, isIncomplete: false })
  })
}

async function take(options: RatingRoutesOptions, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return answering(options, request, reply, async (words, asked, system) => {
    const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString() : '')
    const score = form.get('score')
    if (score === null || !/^\d$/.test(score)) {
      reply.status(400)
      return questionPage(words, { text: asked.text ?? words.question, scale: asked.scale, isIncomplete: true })
    }
    const { id } = request.params as { id: string }
    await answerSurvey(options.writer, system, { id, score: Number(score), comment: form.get('comment') })
    return saidPage(words, words.thanks)
  })
}

/** Checks the link, and says in the consumer's language what is refused. */
async function answering(
  { links, systemContext }: RatingRoutesOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  run: (words: ReturnType<typeof surveyWords>, asked: Asked, system: Context) => Promise<string>,
): Promise<FastifyReply> {
  const { id } = request.params as { id: string }
  const system = systemContext(request.id)
  reply.headers({
    'content-security-policy': PAGE_POLICY,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  })
  reply.type('text/html; charset=utf-8')
  let words = surveyWords(request.headers['accept-language']?.slice(0, 2) ?? null)
  try {
    links.check(id, request.query as Record<string, unknown>)
    const [asked] = isId(id) ? await system.reads.query<Asked>(ASKED, [id], 'asked-rating') : []
    if (!asked) return await reply.status(404).send(saidPage(words, words.over))
    words = surveyWords(asked.language)
    return await reply.send(await run(words, asked, system))
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'UNAVAILABLE') throw error
    const isRated = error.details.reason === 'ALREADY_RATED'
    return reply
      .status(isRated ? 200 : statusOfCode(error.code))
      .send(saidPage(words, isRated ? words.thanks : words.over))
  }
}

const ASKED = reading(`
select v.language, c.survey ->> 'text' as text, r.scale, r.rated_at is not null as "isRated"
from rating r join conversation v on v.id = r.conversation_id left join channel c on c.id = r.channel_id
where r.id = $1 and r.asked_at is not null and ${isCenterInUseSql('r')}`)
