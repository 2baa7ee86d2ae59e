import { Arg, Authorized, Ctx, Int, Query, Resolver } from 'type-graphql'
import type { Context } from '../context.js'
import type { Page } from '../lists/connection.js'
import { search } from './search.js'
import { SearchConnection, SearchTypeEnum, type SearchType } from './search-result.js'

@Resolver()
export class SearchResolver {
  @Authorized('search')
  @Query(() => SearchConnection, {
    description:
      "Conversations, messages and contacts in and below the caller's organization that have the words: what " +
      '`filter: { q }` finds in the list of each. Newest first.',
  })
  search(
    @Ctx() ctx: Context,
    @Arg('text', () => String, {
      description:
        'All the words, in any order and case; `"a phrase"`, `or`, `-without`. The last word also finds longer ones ' +
        'that begin with it. At most 200 characters.',
    })
    text: string,
    @Arg('types', () => [SearchTypeEnum], { nullable: true, description: 'All that the caller may list when absent.' })
    types?: SearchType[] | null,
    @Arg('first', () => Int, { nullable: true, description: 'Page length, at most 100; 30 when absent.' })
    first?: number | null,
    @Arg('after', () => String, { nullable: true, description: 'Only what stands after this cursor.' })
    after?: string | null,
  ): Promise<Page<object>> {
    return search(ctx, { text, types, first, after })
  }
}
