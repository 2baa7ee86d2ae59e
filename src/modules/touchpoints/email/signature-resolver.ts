import { Ctx, Extensions, FieldResolver, Resolver, Root } from 'type-graphql'
import { isAllowed } from '../../../platform/access/permissions.js'
import { signatureOf } from '../../../platform/signature.js'
import type { Context, LoaderDefinition } from '../../../platform/context.js'
import { Conversation } from '../../conversations/api/conversation.js'
import { reachOfConversations } from '../../conversations/state/contact-routes.js'
import type { ConversationState } from '../../conversations/state/conversation-state.js'
import { readSignatures } from './mail-signature.js'

/** Signatures of the caller's answers by mail, by conversation; none where no mail can be sent. */
const signatureLoader: LoaderDefinition<string> = {
  async load(ctx, ids) {
    const reaches = await reachOfConversations(ctx.reads, ids)
    const mailed = [...reaches].flatMap(([id, { services }]) => {
      const service = services.find(({ touchpoint }) => touchpoint === 'email')
      return service ? [[id, service.id] as const] : []
    })
    const services = await ctx.reads.query<{ id: string; signature: string | null }>(
      `select id, params ->> 'signature' as signature from service where id = any($1::uuid[])`,
      [[...new Set(mailed.map(([, service]) => service))]],
      'signatures-of-services',
    )
    const ofService = new Map(services.map(({ id, signature }) => [id, signature]))
    const { user } = ctx.userCaller
    const found = await readSignatures(ctx.reads, { conversations: mailed.map(([id]) => id), user })
    return new Map(
      mailed.flatMap(([id, service]) => {
        const html = found && (found.get(id) ?? ofService.get(service))
        return html ? [[id, html] as const] : []
      }),
    )
  },
}

@Resolver(() => Conversation)
export class ConversationSignatureResolver {
  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'HTML that is added below an answer of the caller by mail now: `Channel.signature` of the case, else `UserSettings.signature`, else that of ' +
      'the service. Null for none, for bots, and for everybody below the scope `agent`.',
  })
  async signature(@Root() { id, type, status, meta }: ConversationState, @Ctx() ctx: Context): Promise<string | null> {
    if (type !== 'contact' || status === 'archived' || !isAllowed(ctx.caller, 'conversation.command')) return null
    const html = await ctx.loader(signatureLoader).load(id)
    const alias = meta?._agent
    const name = typeof alias === 'string' && alias !== '' ? alias : ctx.userCaller.displayName
    return html && signatureOf(html, name)
  }
}
