import { Arg, Authorized, Ctx, Int, Query, Resolver } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Page } from '../../platform/lists/connection.js'
import { search } from './search.js'
import { SearchConnection, SearchTypeEnum, type SearchType } from './search-result.js'

@Resolver()
export class SearchResolver {
  @Authorized('search')
  @Query(() => SearchConnection, {
    description:
      "Searches conversations, messages and contacts in and below the caller's organization, by the same rules as " +
      '`filter: { q }` of their lists. Newest first.',
  })
  search(
    @Ctx() ctx: Context,
    @Arg('text', () => String, {
      description:
        'Words that must all occur, in any order and case; `"a phrase"`, `or`, `-without`. The last word also matches longer ones ' +
        'that begin with it. At most 200 characters.',
    })
    text: string,
    @Arg('types', () => [SearchTypeEnum], {
      nullable: true,
      description: 'Defaults to all types that the caller may list.',
    })
    types?: SearchType[] | null,
    @Arg('first', () => Int, { nullable: true, description: 'Page length, 30 by default, at most 100.' })
    first?: number | null,
    @Arg('after', () => String, { nullable: true, description: 'Returns only results after this cursor.' })
    after?: string | null,
  ): Promise<Page<object>> {
    return search(ctx, { text, types, first, after })
  }
}
