import { Field, ID, ObjectType } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { isProviderSql } from '../sign-in-policy/password-login.js'

@ObjectType({
  simpleResolvers: true,
  description: 'A provider by which users may sign in: a service of type `oidc` or `saml`.',
})
export class SignInProvider {
  @Field(() => ID, { description: 'Id of the service.' })
  id!: string

  @Field(() => String, { description: 'The name of the service, or the host of the provider.' })
  name!: string

  @Field(() => String, { description: 'Address at which a sign-in by it begins: the browser goes there.' })
  url!: string
}

interface ProviderRow {
  id: string
  name: string | null
  issuer: string
}

/** Reads the providers of the caller's organization and of those above it, by name. */
export async function readOwnProviders(ctx: Context, publicUrl: string): Promise<SignInProvider[]> {
  const rows = await ctx.reads.query<ProviderRow>(
    `select id, name, params ->> 'issuer' as issuer from service s
     where ${isProviderSql('s')} and organization_id = any($1::uuid[])
     order by lower(name), id limit 100`,
    [ctx.userCaller.path.filter((each) => each !== undefined)],
    'own-providers',
  )
  return rows.map((row) => shownProvider(row, publicUrl))
}

/** Returns what a sign-in page shows of a provider. */
export function shownProvider({ id, name, issuer }: ProviderRow, publicUrl: string): SignInProvider {
  return { id, name: name ?? URL.parse(issuer)?.host ?? issuer, url: `${publicUrl}/sso/${id}/start` }
}
