import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { fetchShared, isShared } from '../sharing/shared-records.js'
import { ArticleConnection, ArticleFilter, articleList, ArticleOrder } from './article-list.js'
import { createArticle, deleteArticle, updateArticle } from './article-writes.js'
import { Article, CreateArticleInput, sharedArticles, UpdateArticleInput } from './article.js'

@Resolver(() => Article)
export class ArticlesResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('article.fetch')
  @Query(() => Article, {
    nullable: true,
    description: 'An article of an organization that the caller sees, or a shared one (4.3).',
  })
  article(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Article> {
    return fetchShared(ctx, sharedArticles, id)
  }

  @Authorized('article.list')
  @Query(() => ArticleConnection, {
    description: "Articles of the caller's organization and those below it, and those shared with it (4.3).",
  })
  articles(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => ArticleFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [ArticleOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<Article>> {
    return listPage(ctx, articleList, { args, filter, orderBy })
  }

  @Authorized('article.create')
  @Mutation(() => Article, { description: 'Creates an article, for agents to send or look up.' })
  createArticle(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateArticleInput) input: CreateArticleInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<Article> {
    return idempotently(ctx, { key, operation: 'createArticle', input }, () => createArticle(ctx, this.transact, input))
  }

  @Authorized('article.update')
  @Mutation(() => Article, {
    description: 'Updates an article. Only the given keys change. FORBIDDEN for a shared article.',
  })
  updateArticle(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateArticleInput) patch: UpdateArticleInput,
  ): Promise<Article> {
    return updateArticle(ctx, this.transact, { id, patch })
  }

  @Authorized('article.delete')
  @Mutation(() => ID, { description: 'Deletes an article. No other records refer to it.' })
  async deleteArticle(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteArticle(ctx, this.transact, id)
    return id.toLowerCase()
  }

  @FieldResolver(() => Organization, {
    nullable: true,
    description: "Owning organization; null if it is another tenant's.",
  })
  organization(@Root() article: Article, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(article.organizationId)
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether another organization shares it with the caller, who can then only read it (4.3).',
  })
  isShared(@Root() article: Article, @Ctx() ctx: Context): boolean {
    return isShared(ctx, article)
  }
}
