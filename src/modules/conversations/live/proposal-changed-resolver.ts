import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import type { Context, LoaderDefinition } from '../../../platform/context.js'
import { Proposal, proposalOf, PROPOSALS_BY_ID, type ProposalRow } from '../proposals/proposal.js'
import { ProposalChanged } from './conversation-events.js'

@Resolver(() => ProposalChanged)
export class ProposalChangedResolver {
  @FieldResolver(() => Proposal, { nullable: true, description: 'As it is now; null if its conversation was deleted.' })
  async proposal(@Root() { proposalId }: ProposalChanged, @Ctx() ctx: Context): Promise<Proposal | null> {
    const row = await ctx.loader(proposalLoader).load(proposalId)
    return row ? proposalOf(row) : null
  }
}

const proposalLoader: LoaderDefinition<ProposalRow> = {
  async load(ctx, ids) {
    const rows = await ctx.reads.query<ProposalRow>(PROPOSALS_BY_ID, [ids], 'proposals-by-id')
    return new Map(rows.map((row) => [row.id, row]))
  },
}
