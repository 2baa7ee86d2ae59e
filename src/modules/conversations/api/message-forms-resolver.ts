import { Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql'
import type { Context, LoaderDefinition } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { pathOf, pathOfIds, sharedSql } from '../../../platform/db/tenancy.js'
import { FormField } from '../../forms/form-field.js'
import { Message } from '../../messages/message.js'
import type { MessageRow } from '../../messages/message-row.js'

@ObjectType({
  simpleResolvers: true,
  description:
    'As much of a form as is needed to fill it in (2.12). Nobody may fetch the whole form by it (section 5).',
})
export class MessageForm {
  @Field(() => ID) id!: string
  @Field(() => String, { description: 'Name of the form.' }) name!: string
  @Field(() => [FormField], { description: 'Fields in display order.' }) fields!: FormField[]
}

@Resolver(() => Message)
export class MessageFormsResolver {
  @FieldResolver(() => MessageForm, {
    nullable: true,
    description:
      'The form that a `FORM` message asks for (2.12). Null for one that removes a form, for a message of the consumer, ' +
      'and when the form has been deleted or is no longer shared.',
  })
  form(@Root() message: MessageRow, @Ctx() ctx: Context): Promise<MessageForm | null> | null {
    const key = formKeyOf(message)
    return key === null ? null : ctx.loader(messageFormLoader).load(key)
  }
}

/**
 * Guests may not fetch forms (section 5). They see those that somebody else asks for: a guest that could ask would read
 * every form whose name it guesses.
 */
function formKeyOf(message: MessageRow): string | null {
  const { type, role, text, meta } = message
  if (type !== 'form' || role === 'contact' || text?.startsWith('-') || !isId(meta?.form)) return null
  return [meta.form.toLowerCase(), ...pathOf(message)].join(' ')
}

const visibleForms = sharedSql('form')

/** Loads forms as the conversation's organization sees them: its own, or shared with it by a tag (4.3). */
const messageFormLoader: LoaderDefinition<MessageForm> = {
  async load(ctx, keys) {
    const byPath = Map.groupBy(keys, (key) => key.slice(key.indexOf(' ') + 1))
    const found = new Map<string, MessageForm>()
    for (const [path, asked] of byPath) {
      const values: unknown[] = [asked.map((key) => key.slice(0, key.indexOf(' ')))]
      const isVisible = visibleForms({ path: pathOfIds(path.split(' ')) }, 't', values)
      const rows = await ctx.reads.query<MessageForm & Record<string, unknown>>(
        `select t.id, t.name, t.fields from form t where t.id = any($1::uuid[]) and ${isVisible}`,
        values,
      )
      for (const row of rows) found.set(`${row.id} ${path}`, row)
    }
    return found
  },
}
