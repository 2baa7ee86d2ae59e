import { Arg, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { Unprocessable } from '../../platform/errors.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { isAbsent, parseText } from '../../platform/input.js'
import type { ServiceKinds } from './service-kinds.js'
import { Service } from './service.js'
import {
  MessageTemplate,
  isSendable,
  TemplateStatusEnum,
  variablesOf,
  type MessageTemplateRow,
  type TemplateStatus,
} from './message-template.js'
import { listTemplates, requireTemplateService } from './stored-templates.js'
import { TEMPLATE_SYNC } from './template-sync.js'

export interface TemplatesOptions {
  transact: Transact
  kinds: ServiceKinds
}

const SEARCH_CHARS_MAX = 100

@Resolver(() => MessageTemplate)
export class TemplatesResolver {
  constructor(private readonly options: TemplatesOptions) {}

  @Authorized('template.list')
  @Query(() => [MessageTemplate], {
    description:
      "The templates of a service of the caller's organization, of one below it, or of one above it, by name, at most 500; empty for " +
      'a service whose provider has none.',
  })
  async templates(
    @Ctx() ctx: Context,
    @Arg('service', () => ID) id: string,
    @Arg('status', () => TemplateStatusEnum, { nullable: true }) status?: TemplateStatus | null,
    @Arg('search', () => String, { nullable: true, description: 'Part of the name or the text.' }) search?:
      | string
      | null,
  ): Promise<MessageTemplateRow[]> {
    const service = await requireTemplateService(ctx, id)
    const words = isAbsent(search) ? null : parseText(search, 'search', { min: 1, max: SEARCH_CHARS_MAX })
    return listTemplates(ctx.reads, { service, status: status ?? null, search: words })
  }

  @Authorized('service.update')
  @Mutation(() => Boolean, {
    description:
      'Fetches the templates of a service from its provider, soon; that is done by itself every six hours. UNPROCESSABLE for a ' +
      'service whose provider has none.',
  })
  async syncTemplates(@Ctx() ctx: Context, @Arg('service', () => ID) id: string): Promise<boolean> {
    const { kinds, transact } = this.options
    return transact(ctx, async (tx: WriteTx) => {
      const service = await fetchRecord(ctx, Service, id, { em: tx.em })
      if (!kinds.get(service.type)?.fetchTemplates) {
        throw new Unprocessable(`a service of type ${service.type} has no templates`, { reason: 'NO_TEMPLATES' })
      }
      tx.addJob(
        TEMPLATE_SYNC.create({ service: service.id }, { key: `template.sync:${service.id}`, share: service.id }),
      )
      return true
    })
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether a message can be made of it now: it is approved, and needs values and a file at most.',
  })
  isSendable(@Root() template: MessageTemplateRow): boolean {
    return isSendable(template)
  }

  @FieldResolver(() => [String], { description: 'Names of the variables, all of which a message gives.' })
  variables(@Root() template: MessageTemplateRow): string[] {
    return variablesOf(template)
  }
}
