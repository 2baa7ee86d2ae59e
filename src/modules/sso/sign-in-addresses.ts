import { Field, ObjectType } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { Unprocessable } from '../../platform/errors.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { Service } from '../services/service.js'
import { OIDC } from './oidc-params.js'
import { SAML } from './saml-params.js'

@ObjectType({ simpleResolvers: true, description: 'Addresses of a provider’s service.' })
export class SignInAddresses {
  @Field(() => String, {
    description: 'Address at which a sign-in begins; a link to it signs in without the sign-in page.',
  })
  start!: string

  @Field(() => String, {
    description:
      'Address to which the provider sends browsers back: its redirect URI, of `saml` its assertion consumer service (HTTP-POST).',
  })
  redirect!: string

  @Field(() => String, {
    nullable: true,
    description:
      'Address at which the provider says that somebody signed out: its back-channel logout URI. Null for `saml`, whose sessions end by time.',
  })
  logout!: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Address of this server’s metadata, which is its entity id at the provider as well. Null for `oidc`.',
  })
  metadata!: string | null
}

/** Returns the addresses of a service of type `saml`. */
export function samlAddresses(publicUrl: string, id: string): { entity: string; consumer: string } {
  return { entity: `${publicUrl}/sso/${id}/metadata`, consumer: redirectUri(publicUrl, { id, ownReturn: true }) }
}

/** Returns the address to which a provider sends browsers back. @param ownReturn true if it names the service */
export function redirectUri(publicUrl: string, { id, ownReturn }: { id: string; ownReturn: boolean }): string {
  return `${publicUrl}/sso/return${ownReturn ? `/${id}` : ''}`
}

/** @throws NotFound, Unprocessable for a service of another type */
export async function readAddresses(ctx: Context, publicUrl: string, named: string): Promise<SignInAddresses> {
  const { id, type, params } = await fetchRecord(ctx, Service, named, { field: 'service' })
  if (type !== OIDC && type !== SAML)
    throw new Unprocessable(`a service of type ${type} is no provider`, { field: 'service' })
  return {
    start: `${publicUrl}/sso/${id}/start`,
    redirect: redirectUri(publicUrl, { id, ownReturn: params.ownReturn !== false }),
    logout: type === OIDC ? `${publicUrl}/sso/${id}/logout` : null,
    metadata: type === SAML ? samlAddresses(publicUrl, id).entity : null,
  }
}
