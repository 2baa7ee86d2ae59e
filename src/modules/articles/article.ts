import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { sharedSql } from '../../platform/db/tenancy.js'
import { TextArray } from '../../platform/db/text-array.js'
import type { JsonObject } from '../../platform/json.js'
import { JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import type { SharedResource } from '../sharing/shared-records.js'
import { Node } from '../../platform/lists/node.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { IfVersion } from '../../platform/lists/record-version.js'

export const ArticleStatusEnum = graphqlEnum('ArticleStatus', 'Status of an article.', {
  DRAFT: ['draft', 'Being written; never shared with other organizations.'],
  PUBLISHED: ['published', 'Ready to be used.'],
})
export type ArticleStatus = (typeof ArticleStatusEnum)[keyof typeof ArticleStatusEnum]
export const ARTICLE_STATUSES = Object.values(ArticleStatusEnum)

const BODY = 'HTML, sanitized like messages (2.10).'
const LANGUAGE = "Two lower-case letters, like a conversation's language (2.8)."
const CATEGORY = "Category name, such as one of the organization's categories."
const TAGS = 'Shares the article with organizations that have one of them; set by administrators (4.3).'

@Entity({ tableName: 'article' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A knowledge item that agents look up and send (2.11, section 5).',
})
export class Article extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => String)
  title!: string

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'Plain text that says what the article is about.' })
  summary!: string | null

  @Property({ type: 'text' })
  @Field(() => String, { description: BODY })
  body!: string

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: LANGUAGE })
  language!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: CATEGORY })
  category!: string | null

  @Property({ type: 'text' })
  @Field(() => ArticleStatusEnum, { description: 'Whether the article is ready to be used.' })
  status!: ArticleStatus

  @Property({ type: TextArray })
  @Field(() => [String], { description: TAGS })
  tags!: string[]

  @Property({ type: 'json', nullable: true })
  @Field(() => JsonObjectScalar, { nullable: true, description: 'Passed on to backend automations (2.12).' })
  meta!: JsonObject | null
}

@InputType()
export abstract class ArticleFieldsInput {
  @Field(() => String, { nullable: true, description: 'Not blank, at most 200 characters.' })
  title?: string | null

  @Field(() => String, { nullable: true, description: 'Plain text, at most 2,000 characters.' })
  summary?: string | null

  @Field(() => String, { nullable: true, description: `${BODY} At most 256 KiB.` })
  body?: string | null

  @Field(() => String, { nullable: true, description: 'Alias of `body` for the legacy interface.' })
  content?: string | null

  @Field(() => String, { nullable: true, description: LANGUAGE })
  language?: string | null

  @Field(() => String, { nullable: true, description: CATEGORY })
  category?: string | null

  @Field(() => ArticleStatusEnum, { nullable: true, description: '`DRAFT` when absent.' })
  status?: ArticleStatus | null

  @Field(() => [String], { nullable: true, description: TAGS })
  tags?: string[] | null

  @Field(() => JsonObjectScalar, { nullable: true, description: "Replaces all except the system's keys (2.12)." })
  meta?: JsonObject | null
}

@InputType({ description: 'Changes of an article. Only the given keys change; `null` clears.' })
export class UpdateArticleInput extends ArticleFieldsInput {
  @IfVersion() ifVersion?: number | null
}

@InputType({ description: 'A new article.' })
export class CreateArticleInput extends ArticleFieldsInput {
  @Field(() => String, { description: 'Not blank, at most 200 characters.' })
  declare title: string

  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null
}

/** Unpublished articles are not shared. */
export const sharedArticles: SharedResource<Article> = {
  entity: Article,
  table: 'article',
  visible: sharedSql('article', "shared.status = 'published'"),
}
