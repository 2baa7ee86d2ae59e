import { sanitiseHtml } from '../../platform/content/sanitise-html.js'
import type { Context } from '../../platform/context.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { isAbsent, parseOneOf, parseText, refuseCleared } from '../../platform/input.js'
import { changedMeta, parseMeta } from '../../platform/json.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { parseName } from '../organizations/organization-input.js'
import { insertOwned, owningPath } from '../organizations/owned-record.js'
import { fetchOwn } from '../sharing/shared-records.js'
import { parseTags } from '../sharing/tags.js'
import {
  Article,
  ARTICLE_STATUSES,
  sharedArticles,
  type ArticleStatus,
  type CreateArticleInput,
  type UpdateArticleInput,
} from './article.js'

const SUMMARY_CHARS_MAX = 2_000
const BODY_BYTES_MAX = 262_144
const CATEGORY_CHARS_MAX = 200

/** @throws NotFound naming `organization`; BadUserInput */
export function createArticle(ctx: Context, transact: Transact, input: CreateArticleInput): Promise<Article> {
  const fields = {
    title: parseName(input.title, 'title'),
    summary: parseSummary(input.summary),
    body: parseBody(givenBody(input, '')),
    language: parseLanguage(input.language),
    category: parseCategory(input.category),
    status: parseStatus(input.status),
    tags: parseTags(input.tags),
    meta: isAbsent(input.meta) ? null : parseMeta(input.meta, 'meta'),
  }
  return transact(ctx, async (tx) => {
    const path = await owningPath(ctx, tx, input.organization)
    const article = await insertOwned(ctx, tx, Article, { path, ...fields })
    emitArticle(tx, article, 'created')
    return article
  })
}

/** Changes the given fields. @throws as {@link createArticle}; NotFound, or Forbidden for a shared article */
export function updateArticle(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateArticleInput },
): Promise<Article> {
  refuseCleared(patch, 'title')
  return transact(ctx, async (tx) => {
    const article = await fetchOwn(ctx, tx, sharedArticles, id, patch.ifVersion)
    if (patch.title !== undefined) article.title = parseName(patch.title, 'title')
    if (patch.summary !== undefined) article.summary = parseSummary(patch.summary)
    const given = givenBody(patch, article.body)
    if (given.value !== undefined) article.body = parseBody(given)
    if (patch.language !== undefined) article.language = parseLanguage(patch.language)
    if (patch.category !== undefined) article.category = parseCategory(patch.category)
    if (patch.status !== undefined) article.status = parseStatus(patch.status)
    if (patch.tags !== undefined) article.tags = parseTags(patch.tags)
    if (patch.meta !== undefined) article.meta = changedMeta(article.meta, patch.meta, 'meta')
    markChanged(article, ctx.now())
    emitArticle(tx, article, 'updated')
    return article
  })
}

export function deleteArticle(ctx: Context, transact: Transact, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const article = await fetchOwn(ctx, tx, sharedArticles, id)
    emitArticle(tx, article, 'deleted')
    tx.em.remove(article)
    return true
  })
}

/** The public values of an article, without its body. */
type ArticleData = Pick<Article, 'title' | 'summary' | 'language' | 'category' | 'status' | 'tags' | 'meta'>

declare module '../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'article', ArticleData> {}
}

/** Emits the public values of an article without its body, which subscribers read when they need it. */
function emitArticle(tx: WriteTx, article: Article, what: RecordChange): void {
  const { id, organizationId, title, summary, language, category, status, tags, meta } = article
  tx.emit(organizationStream(organizationId), `article.${what}`, {
    id,
    organization: organizationId,
    title,
    summary,
    language,
    category,
    status,
    tags,
    meta,
  })
}

function parseSummary(value: unknown): string | null {
  return isAbsent(value) ? null : parseText(value, 'summary', { max: SUMMARY_CHARS_MAX })
}

/** The body, by the name under which the client gave it. */
interface GivenBody {
  field: 'body' | 'content'
  value: string | null | undefined
}

/**
 * Resolves the two names of the body. Clients that send whole records back send both and may have changed either: the
 * one that differs from the stored text counts. @throws BadUserInput when both differ from it and from each other
 */
function givenBody({ body, content }: UpdateArticleInput, stored: string): GivenBody {
  const [asBody, asContent] = [{ field: 'body', value: body } as const, { field: 'content', value: content } as const]
  if (body === undefined || content === undefined || body === content) return body === undefined ? asContent : asBody
  if ((body ?? '') === stored) return asContent
  if ((content ?? '') === stored) return asBody
  throw new BadUserInput('content', 'body and content are the same field but were given different texts')
}

function parseBody({ field, value }: GivenBody): string {
  if (isAbsent(value)) return ''
  const html = sanitiseHtml(parseText(value, field, { maxBytes: BODY_BYTES_MAX }))
  // Checked again: escaping and closing tags can make it longer.
  return parseText(html, field, { maxBytes: BODY_BYTES_MAX })
}

function parseLanguage(value: unknown): string | null {
  if (isAbsent(value)) return null
  const language = parseText(value, 'language')
  if (/^[a-z]{2}$/.test(language)) return language
  throw new BadUserInput('language', `language must be a two-letter lower-case code, not ${quoteValue(language)}`)
}

function parseCategory(value: unknown): string | null {
  return isAbsent(value) ? null : parseText(value, 'category', { min: 1, max: CATEGORY_CHARS_MAX })
}

function parseStatus(value: unknown): ArticleStatus {
  return isAbsent(value) ? 'draft' : parseOneOf(value, 'status', ARTICLE_STATUSES)
}
